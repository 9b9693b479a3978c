// Brings the schema up to date: numbered SQL files, each in a transaction of its own, once.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

const FOLDER = new URL('../../../migrations/sqlite/', import.meta.url);

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly digest: string;
}

export interface MigrationStatus {
  readonly applied: string[];
  readonly waiting: string[];
}

/** A migration in the store that this version does not know, or knows with another content. */
export class MigrationMismatch extends Error {
  override readonly name = 'MigrationMismatch';
}

export function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, FOLDER), 'utf8').replaceAll('\r\n', '\n');
      const digest = createHash('sha256').update(sql).digest('hex');
      return { number: Number.parseInt(file, 10), name: file.replace(/\.sql$/, ''), sql, digest };
    });
}

/** Safe when several processes start at once: each looks again inside its transaction. */
export function migrate(database: DatabaseSync, now: number): string[] {
  const migrations = readMigrations();
  database.exec(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      number       INTEGER PRIMARY KEY,
      name         TEXT NOT NULL,
      digest       TEXT NOT NULL,
      applied_time INTEGER NOT NULL
    ) STRICT
  `);
  const applied: string[] = [];
  for (const migration of migrations) {
    if (waiting(database, migrations).includes(migration.name) && apply(database, migration, now)) {
      applied.push(migration.name);
    }
  }
  return applied;
}

export function migrationStatus(database: DatabaseSync): MigrationStatus {
  const migrations = readMigrations();
  const open = waiting(database, migrations);
  const names = migrations.map((migration) => migration.name);
  return { applied: names.filter((name) => !open.includes(name)), waiting: open };
}

function apply(database: DatabaseSync, migration: Migration, now: number): boolean {
  return inTransaction(database, () => {
    const mark = database.prepare(
      'INSERT INTO schema_migrations VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    const { changes } = mark.run(migration.number, migration.name, migration.digest, now);
    if (changes === 0) return false;
    database.exec(migration.sql);
    return true;
  });
}

function waiting(database: DatabaseSync, migrations: Migration[]): string[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const done = new Set<number>();
  for (const row of appliedRows(database)) {
    const migration = known.get(row.number);
    if (migration === undefined) {
      throw new MigrationMismatch(
        `the store has migration ${row.name}, which this version of Unwrite does not know; use the version that made it, or a newer one`,
      );
    }
    if (migration.digest !== row.digest) {
      throw new MigrationMismatch(`migration ${row.name} was changed after it was applied`);
    }
    done.add(row.number);
  }
  return migrations.filter(({ number }) => !done.has(number)).map(({ name }) => name);
}

function appliedRows(database: DatabaseSync): { number: number; name: string; digest: string }[] {
  const exists = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'")
    .get();
  if (exists === undefined) return [];
  return database
    .prepare('SELECT number, name, digest FROM schema_migrations ORDER BY number')
    .all() as { number: number; name: string; digest: string }[];
}
