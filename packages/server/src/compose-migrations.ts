// Migrations by hand, without opening the vault or making keys.
import { existsSync } from 'node:fs';
import type { Config } from './config/config.ts';
import { type MigrationStatus, migrationStatus, readMigrations } from './store/sqlite/migrate.ts';
import { openDatabase } from './store/sqlite/open-database.ts';
import { databasePathIn, openSqliteStore } from './store/sqlite/open-store.ts';

export async function migrateStore(config: Config): Promise<readonly string[]> {
  const store = openSqliteStore(config.dataDir, Date.now);
  await store.close();
  return store.migrated;
}

export async function storeMigrationStatus(config: Config): Promise<MigrationStatus> {
  const path = databasePathIn(config.dataDir);
  if (!existsSync(path)) {
    return { applied: [], waiting: readMigrations().map(({ name }) => name) };
  }
  const database = openDatabase(path, 'read');
  try {
    return migrationStatus(database);
  } finally {
    database.close();
  }
}
