// Migrates the schema, each migration in its own transaction. Synchronous, because it is part of opening a store.
import type { DatabaseSync } from 'node:sqlite';
import { packageFile } from '../../files/own-files.ts';
import {
  type AppliedMigration,
  type Migration,
  type MigrationStatus,
  readMigrationsIn,
  statusOf,
  waitingMigrations,
} from '../migrations.ts';
import { inTransaction } from './transaction.ts';

const FOLDER = packageFile('migrations/sqlite/');

let own: readonly Migration[] | undefined;

/** Those of this version: read once, as the files may be replaced while it runs. */
export function readMigrations(): readonly Migration[] {
  own ??= readMigrationsIn(FOLDER);
  return own;
}

/** Safe when several processes start at once: each looks again inside its transaction. */
export function migrate(
  database: DatabaseSync,
  now: number,
  migrations: readonly Migration[] = readMigrations(),
): string[] {
  database.exec(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      number       INTEGER PRIMARY KEY,
      name         TEXT NOT NULL,
      digest       TEXT NOT NULL,
      works_from   INTEGER NOT NULL,
      applied_time INTEGER NOT NULL
    ) STRICT
  `);
  return waitingMigrations(migrations, appliedRows(database))
    .filter((migration) => apply(database, migration, now))
    .map(({ name }) => name);
}

export function migrationStatus(
  database: DatabaseSync,
  migrations: readonly Migration[] = readMigrations(),
): MigrationStatus {
  return statusOf(migrations, appliedRows(database));
}

function apply(database: DatabaseSync, migration: Migration, now: number): boolean {
  return inTransaction(database, () => {
    const mark = database.prepare(
      'INSERT INTO schema_migrations VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    const { number, name, digest, worksFrom } = migration;
    const { changes } = mark.run(number, name, digest, worksFrom, now);
    if (changes === 0) return false;
    database.exec(migration.sql);
    return true;
  });
}

function appliedRows(database: DatabaseSync): AppliedMigration[] {
  const exists = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'")
    .get();
  if (exists === undefined) return [];
  return database
    .prepare(
      'SELECT number, name, digest, works_from AS worksFrom FROM schema_migrations ORDER BY number',
    )
    .all() as unknown as AppliedMigration[];
}
