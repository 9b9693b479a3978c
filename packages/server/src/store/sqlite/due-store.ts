// The questions whether a worker is wanted, by a connection that only reads.
import type { DatabaseSync } from 'node:sqlite';
import type { DueStore } from '../../domain/store.ts';
import { createConditionStore } from '../shared/alarms/alarm-conditions.ts';
import { createDeliveryStore } from '../shared/alarms/alarms.ts';
import { createWatchStore } from '../shared/alarms/watched-requests.ts';
import { createForgettingStore } from '../shared/forgetting/forgetting-store.ts';
import { createMasterKeyStore } from '../shared/keys/master-keys.ts';
import { createReceiptStore } from '../shared/receipts/receipts.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { databaseOn } from './database.ts';

export function createDueStore(reader: DatabaseSync): DueStore {
  const database = databaseOn(reader);
  return {
    auditHeads: createAuditHeadStore(reader),
    receipts: createReceiptStore(database),
    forgetting: createForgettingStore(database),
    masterKeys: createMasterKeyStore(database),
    watch: createWatchStore(database),
    conditions: createConditionStore(database),
    delivery: createDeliveryStore(database),
  };
}
