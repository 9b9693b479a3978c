// What a worker works with: one connection, beside that of the writer's thread.
import type { WorkStore } from '../../domain/store.ts';
import { createConditionStore } from './alarm-conditions.ts';
import { createDeliveryStore } from './alarms.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { createForgettingStore } from './forgetting-store.ts';
import { createFulfilmentStore } from './fulfilment-store.ts';
import { createMasterKeyStore } from './master-keys.ts';
import { openDatabase } from './open-database.ts';
import { createOwnSecretStore } from './own-secrets.ts';
import { createReceiptStore } from './receipts.ts';
import { createWatchStore } from './watched-requests.ts';

export function openSqliteWorkStore(databasePath: string): WorkStore {
  const database = openDatabase(databasePath, 'write');
  return {
    fulfilment: createFulfilmentStore(database),
    ownSecrets: createOwnSecretStore(database),
    auditHeads: createAuditHeadStore(database),
    receipts: createReceiptStore(database),
    forgetting: createForgettingStore(database),
    archive: null,
    grownTables: null,
    masterKeys: createMasterKeyStore(database),
    watch: createWatchStore(database),
    conditions: createConditionStore(database),
    delivery: createDeliveryStore(database),
    async close() {
      database.close();
    },
  };
}
