// The SQLite store as a whole: one file, a connection that writes for operators, one that reads.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { TaskCatalogue, TaskOperator } from '../../domain/operator-ports.ts';
import type {
  Clock,
  OwnSecretStore,
  RequestCatalogue,
  SigningKeyStore,
  TenantStore,
  TenantWriter,
  VaultKeyStore,
} from '../../domain/ports.ts';
import { createRequestCatalogue } from './catalogue.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { createOwnSecretStore } from './own-secrets.ts';
import { createSigningKeyStore } from './signing-keys.ts';
import { createTaskCatalogue } from './task-catalogue.ts';
import { createTaskOperator } from './task-operator.ts';
import { createTenantWriter } from './tenant-writer.ts';
import { createTenantStore } from './tenants.ts';
import { createVaultKeyStore } from './vault-keys.ts';

export interface SqliteStore {
  readonly databasePath: string;
  readonly reader: DatabaseSync;
  readonly tenants: TenantStore;
  readonly tenantWriter: TenantWriter;
  readonly catalogue: RequestCatalogue;
  readonly signingKeys: SigningKeyStore;
  readonly vaultKeys: VaultKeyStore;
  readonly ownSecrets: OwnSecretStore;
  readonly tasks: TaskCatalogue;
  readonly operator: TaskOperator;
  /** Migrations that this opening applied. */
  readonly migrated: string[];
  close(): void;
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
  return {
    databasePath,
    reader,
    tenants: createTenantStore(reader),
    tenantWriter: createTenantWriter(writer),
    catalogue: createRequestCatalogue(reader),
    signingKeys: createSigningKeyStore(writer),
    vaultKeys: createVaultKeyStore(writer),
    ownSecrets: createOwnSecretStore(writer),
    tasks: createTaskCatalogue(reader),
    operator: createTaskOperator(writer),
    migrated,
    close() {
      reader.close();
      writer.close();
    },
  };
}
