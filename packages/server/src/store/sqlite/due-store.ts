// The questions whether a worker is wanted, by a connection that only reads.
import type { DatabaseSync } from 'node:sqlite';
import type { DueStore } from '../../domain/store.ts';
import { createMasterKeyStore } from '../shared/keys/master-keys.ts';
import { createReceiptStore } from '../shared/receipts/receipts.ts';
import { prepareConditions } from './alarm-conditions.ts';
import { prepareHasToDeliver } from './alarms.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { databaseOn } from './database.ts';
import { createDueToForget } from './forgetting-store.ts';
import { prepareHasToLook } from './watched-requests.ts';

export function createDueStore(reader: DatabaseSync): DueStore {
  return {
    auditHeads: createAuditHeadStore(reader),
    receipts: createReceiptStore(databaseOn(reader)),
    forgetting: createDueToForget(reader),
    masterKeys: createMasterKeyStore(databaseOn(reader)),
    watch: { hasToLook: prepareHasToLook(reader) },
    conditions: { conditions: prepareConditions(reader) },
    delivery: { hasToDeliver: prepareHasToDeliver(reader) },
  };
}
