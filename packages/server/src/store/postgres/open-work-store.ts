// The PostgreSQL store as a worker sees it, on connections of its own.
import type { Clock } from '../../domain/ports.ts';
import type { WorkStore } from '../../domain/store.ts';
import { createConditionStore } from '../shared/alarms/alarm-conditions.ts';
import { createDeliveryStore } from '../shared/alarms/alarms.ts';
import { createWatchStore } from '../shared/alarms/watched-requests.ts';
import { createForgettingStore } from '../shared/forgetting/forgetting-store.ts';
import { createMasterKeyStore } from '../shared/keys/master-keys.ts';
import { createOwnSecretStore } from '../shared/keys/own-secrets.ts';
import { createReceiptStore } from '../shared/receipts/receipts.ts';
import { createRequestArchive } from './archive-requests.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { startDatabaseClock } from './database-clock.ts';
import { createFulfilmentStore } from './fulfilment-store.ts';
import { createGrownTables } from './grown-tables.ts';

export interface PostgresWorkStore extends WorkStore {
  readonly database: Database;
  readonly clock: Clock;
}

export async function openPostgresWorkStore(options: DatabaseOptions): Promise<PostgresWorkStore> {
  const database = openDatabase(options);
  const clock = await startDatabaseClock(database).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return {
    database,
    clock: clock.now,
    fulfilment: createFulfilmentStore(database),
    ownSecrets: createOwnSecretStore(database),
    auditHeads: createAuditHeadStore(database),
    receipts: createReceiptStore(database),
    forgetting: createForgettingStore(database),
    archive: createRequestArchive(database),
    grownTables: createGrownTables(database),
    masterKeys: createMasterKeyStore(database),
    watch: createWatchStore(database),
    conditions: createConditionStore(database),
    delivery: createDeliveryStore(database),
    async close() {
      clock.close();
      await database.close();
    },
  };
}
