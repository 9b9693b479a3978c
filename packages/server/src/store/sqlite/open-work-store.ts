// What a worker works with: one connection, beside that of the writer's thread.
import type { WorkStore } from '../../domain/store.ts';
import { createMasterKeyStore } from '../shared/keys/master-keys.ts';
import { createOwnSecretStore } from '../shared/keys/own-secrets.ts';
import { createReceiptStore } from '../shared/receipts/receipts.ts';
import { createConditionStore } from './alarm-conditions.ts';
import { createDeliveryStore } from './alarms.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { databaseOn } from './database.ts';
import { createForgettingStore } from './forgetting-store.ts';
import { createFulfilmentStore } from './fulfilment-store.ts';
import { openDatabase } from './open-database.ts';
import { createWatchStore } from './watched-requests.ts';

export function openSqliteWorkStore(databasePath: string): WorkStore {
  const connection = openDatabase(databasePath, 'write');
  const database = databaseOn(connection);
  return {
    fulfilment: createFulfilmentStore(connection),
    ownSecrets: createOwnSecretStore(database),
    auditHeads: createAuditHeadStore(connection),
    receipts: createReceiptStore(database),
    forgetting: createForgettingStore(connection),
    archive: null,
    grownTables: null,
    masterKeys: createMasterKeyStore(database),
    watch: createWatchStore(connection),
    conditions: createConditionStore(connection),
    delivery: createDeliveryStore(connection),
    async close() {
      connection.close();
    },
  };
}
