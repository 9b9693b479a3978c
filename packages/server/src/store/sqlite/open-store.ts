// The SQLite store as a whole: one file, a connection that writes for operators, one that reads.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../domain/ports.ts';
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
import { databaseOn } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';

export interface SqliteStore extends Store {
  readonly databasePath: string;
  readonly reader: DatabaseSync;
}

export function databasePathIn(dataDir: string): string {
  return join(dataDir, 'unwrite.db');
}

export function openSqliteStore(dataDir: string, clock: Clock): SqliteStore {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const databasePath = databasePathIn(dataDir);
  const writer = openDatabase(databasePath, 'write');
  const migrated = migrate(writer, clock());
  const reader = openDatabase(databasePath, 'read');
  const auditHeads = createAuditHeadStore(reader);
  const reads = databaseOn(reader);
  const writes = databaseOn(writer);
  return {
    databasePath,
    reader,
    clock,
    tenants: createTenantStore(reads),
    tenantWriter: createTenantWriter(writes),
    catalogue: createRequestCatalogue(reads),
    signingKeys: createSigningKeyStore(writes),
    vaultKeys: createVaultKeyStore(writes),
    masterKeys: createMasterKeyStore(writes),
    ownSecrets: createOwnSecretStore(writes),
    tasks: createTaskCatalogue(reads),
    operator: createTaskOperator(writes),
    brakes: createBrakeOperator(writes),
    alarms: { ...createAlarmCatalogue(reads), raise: createConditionStore(writes).raise },
    forgetting: createForgettingOperator(writes),
    // To be looked at; the sealer has a connection of its own.
    auditHeads,
    readAudit: (read) => reads.snapshot((sql) => read(createAuditChain(sql))),
    auditLog: createAuditLog(reads),
    receipts: createReceiptStore(writes, reads),
    nodes: null,
    ping: () => ping(reads),
    migrated,
    async close() {
      reader.close();
      writer.close();
    },
  };
}
