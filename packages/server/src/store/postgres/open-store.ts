// The PostgreSQL store as a whole, as the command line and the doors of one process see it.
import type { Store } from '../../domain/store.ts';
import { createConditionStore } from '../shared/alarms/alarm-conditions.ts';
import { createAlarmCatalogue } from '../shared/alarms/alarms.ts';
import { createAuditChain } from '../shared/audit/audit-chain.ts';
import { createAuditLog } from '../shared/audit/audit-log.ts';
import { createForgettingOperator } from '../shared/forgetting/forgetting-operator.ts';
import { createMasterKeyStore } from '../shared/keys/master-keys.ts';
import { createOwnSecretStore } from '../shared/keys/own-secrets.ts';
import { createSigningKeyStore } from '../shared/keys/signing-keys.ts';
import { createVaultKeyStore } from '../shared/keys/vault-keys.ts';
import { createReceiptStore } from '../shared/receipts/receipts.ts';
import { createRequestCatalogue } from '../shared/requests/catalogue.ts';
import { createBrakeOperator } from '../shared/tasks/brakes.ts';
import { createTaskCatalogue } from '../shared/tasks/task-catalogue.ts';
import { createTaskOperator } from '../shared/tasks/task-operator.ts';
import { createTenantWriter } from '../shared/tenants/tenant-writer.ts';
import { createTenantStore } from '../shared/tenants/tenants.ts';
import { ping } from '../sql.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { startDatabaseClock } from './database-clock.ts';
import { migrate } from './migrate.ts';
import { createNodeRegistry } from './nodes.ts';
import { refuseUnfinishedCopy } from './unfinished-copy.ts';

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
      readAudit: (read) => database.unprepared.snapshot((sql) => read(createAuditChain(sql))),
      auditLog: createAuditLog(database),
      receipts: createReceiptStore(database),
      nodes: createNodeRegistry(database),
      ping: () => ping(database),
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
