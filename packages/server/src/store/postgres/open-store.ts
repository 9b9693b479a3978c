// The PostgreSQL store as a whole, as the command line and the doors of one process see it.
import type { Store } from '../../domain/store.ts';
import { createConditionStore } from './alarm-conditions.ts';
import { createAlarmCatalogue } from './alarms.ts';
import { createAuditChain, createAuditHeadStore } from './audit-heads.ts';
import { createAuditLog } from './audit-log.ts';
import { createBrakeOperator } from './brakes.ts';
import { createRequestCatalogue } from './catalogue.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { startDatabaseClock } from './database-clock.ts';
import { createForgettingOperator } from './forgetting-operator.ts';
import { createMasterKeyStore } from './master-keys.ts';
import { migrate } from './migrate.ts';
import { createNodeRegistry } from './nodes.ts';
import { createOwnSecretStore } from './own-secrets.ts';
import { createReceiptStore } from './receipts.ts';
import { createSigningKeyStore } from './signing-keys.ts';
import { createTaskCatalogue } from './task-catalogue.ts';
import { createTaskOperator } from './task-operator.ts';
import { createTenantWriter } from './tenant-writer.ts';
import { createTenantStore } from './tenants.ts';
import { refuseUnfinishedCopy } from './unfinished-copy.ts';
import { createVaultKeyStore } from './vault-keys.ts';

export interface PostgresStore extends Store {
  readonly database: Database;
}

export async function openPostgresStore(options: DatabaseOptions): Promise<PostgresStore> {
  const database = openDatabase(options);
  try {
    const migrated = await migrate(database);
    await refuseUnfinishedCopy(database);
    const clock = await startDatabaseClock(database);
    return {
      database,
      clock: clock.now,
      tenants: createTenantStore(database),
      tenantWriter: createTenantWriter(database),
      catalogue: createRequestCatalogue(database),
      signingKeys: createSigningKeyStore(database),
      vaultKeys: createVaultKeyStore(database),
      masterKeys: createMasterKeyStore(database),
      ownSecrets: createOwnSecretStore(database),
      tasks: createTaskCatalogue(database),
      operator: createTaskOperator(database),
      brakes: createBrakeOperator(database),
      alarms: { ...createAlarmCatalogue(database), raise: createConditionStore(database).raise },
      forgetting: createForgettingOperator(database),
      auditHeads: createAuditHeadStore(database),
      readAudit: (read) =>
        database.unprepared.transaction(async (sql) => {
          await sql.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
          return read(createAuditChain(sql));
        }),
      auditLog: createAuditLog(database),
      receipts: createReceiptStore(database),
      nodes: createNodeRegistry(database),
      migrated,
      async close() {
        clock.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
