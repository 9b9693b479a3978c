// What a worker works with: one connection, beside that of the writer's thread.
import type { WorkStore } from '../../domain/store.ts';
import { createConditionStore } from '../shared/alarms/alarm-conditions.ts';
import { createDeliveryStore } from '../shared/alarms/alarms.ts';
import { createWatchStore } from '../shared/alarms/watched-requests.ts';
import { createForgettingStore } from '../shared/forgetting/forgetting-store.ts';
import { createMasterKeyStore } from '../shared/keys/master-keys.ts';
import { createOwnSecretStore } from '../shared/keys/own-secrets.ts';
import { createReceiptStore } from '../shared/receipts/receipts.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { databaseOn } from './database.ts';
import { createFulfilmentStore } from './fulfilment-store.ts';
import { openDatabase } from './open-database.ts';

export function openSqliteWorkStore(databasePath: string): WorkStore {
  const connection = openDatabase(databasePath, 'write');
  const database = databaseOn(connection);
  return {
    fulfilment: createFulfilmentStore(connection),
    ownSecrets: createOwnSecretStore(database),
    auditHeads: createAuditHeadStore(connection),
    receipts: createReceiptStore(database),
    forgetting: createForgettingStore(database),
    archive: null,
    grownTables: null,
    masterKeys: createMasterKeyStore(database),
    watch: createWatchStore(database),
    conditions: createConditionStore(database),
    delivery: createDeliveryStore(database),
    async close() {
      connection.close();
    },
  };
}
