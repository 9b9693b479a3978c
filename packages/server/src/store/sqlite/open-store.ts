// The SQLite store as a whole: one file, a connection that writes for operators, one that reads.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../domain/ports.ts';
import type { Store } from '../../domain/store.ts';
import { createConditionStore } from './alarm-conditions.ts';
import { createAlarmCatalogue } from './alarms.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { createAuditLog } from './audit-log.ts';
import { createBrakeOperator } from './brakes.ts';
import { createRequestCatalogue } from './catalogue.ts';
import { createForgettingOperator } from './forgetting-operator.ts';
import { createMasterKeyStore } from './master-keys.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { createOwnSecretStore } from './own-secrets.ts';
import { createReceiptStore } from './receipts.ts';
import { createSigningKeyStore } from './signing-keys.ts';
import { createTaskCatalogue } from './task-catalogue.ts';
import { createTaskOperator } from './task-operator.ts';
import { createTenantWriter } from './tenant-writer.ts';
import { createTenantStore } from './tenants.ts';
import { createVaultKeyStore } from './vault-keys.ts';

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
  return {
    databasePath,
    reader,
    clock,
    tenants: createTenantStore(reader),
    tenantWriter: createTenantWriter(writer),
    catalogue: createRequestCatalogue(reader),
    signingKeys: createSigningKeyStore(writer),
    vaultKeys: createVaultKeyStore(writer),
    masterKeys: createMasterKeyStore(writer),
    ownSecrets: createOwnSecretStore(writer),
    tasks: createTaskCatalogue(reader),
    operator: createTaskOperator(writer),
    brakes: createBrakeOperator(writer),
    alarms: { ...createAlarmCatalogue(reader), raise: createConditionStore(writer).raise },
    forgetting: createForgettingOperator(writer),
    // To be looked at; the sealer has a connection of its own.
    auditHeads,
    async readAudit(read) {
      reader.exec('BEGIN');
      try {
        return await read(auditHeads);
      } finally {
        reader.exec('COMMIT');
      }
    },
    auditLog: createAuditLog(reader),
    receipts: createReceiptStore(writer, reader),
    nodes: null,
    migrated,
    async close() {
      reader.close();
      writer.close();
    },
  };
}
