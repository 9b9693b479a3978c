// Runs migrations for the command line, without opening the vault or making keys.
import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { SQLITE } from '../config/store-kind.ts';
import type { MigrationStatus } from '../store/migrations.ts';

export async function migrateStore(config: Config): Promise<readonly string[]> {
  if (config.store !== SQLITE) {
    const { migrate } = await import('../store/postgres/migrate.ts');
    return withDatabase(config, (database) => migrate(database));
  }
  const { openSqliteStore } = await import('../store/sqlite/open-store.ts');
  const store = openSqliteStore(config.dataDir, Date.now);
  await store.close();
  return store.migrated;
}

export async function storeMigrationStatus(config: Config): Promise<MigrationStatus> {
  if (config.store !== SQLITE) {
    const { migrationStatus } = await import('../store/postgres/migrate.ts');
    return withDatabase(config, (database) => migrationStatus(database));
  }
  const { migrationStatus, readMigrations } = await import('../store/sqlite/migrate.ts');
  const { databasePathIn, refuseRestoring } = await import('../store/sqlite/open-store.ts');
  refuseRestoring(config.dataDir);
  const path = databasePathIn(config.dataDir);
  if (!existsSync(path)) {
    return { applied: [], waiting: readMigrations().map(({ name }) => name), newer: [] };
  }
  const { openDatabase } = await import('../store/sqlite/open-database.ts');
  const database = openDatabase(path, 'read');
  try {
    return migrationStatus(database);
  } finally {
    database.close();
  }
}

type Database = import('../store/postgres/database.ts').Database;

async function withDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { openDatabase } = await import('../store/postgres/database.ts');
  const { databaseOptionsOf } = await import('./postgres.ts');
  const database = openDatabase(databaseOptionsOf(config));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
