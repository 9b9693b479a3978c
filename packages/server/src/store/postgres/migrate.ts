// Migrates the schema in one transaction under its own lock: if twenty nodes start at once, one migrates and
// the others wait for it. Migrations only make changes that nodes of the previous version can work with,
// because those keep serving.

import { packageFile } from '../../files/own-files.ts';
import { quoteName } from '../dialect.ts';
import {
  type AppliedMigration,
  type Migration,
  type MigrationStatus,
  readMigrationsIn,
  statusOf,
  waitingMigrations,
} from '../migrations.ts';
import type { Database, Sql } from './database.ts';

const FOLDER = packageFile('migrations/postgres/');

/** A migration that waits for a busy table would block every later statement on it: fail and retry instead. */
const LOCK_TIMEOUT = '5s';

export const readMigrations = () => readMigrationsIn(FOLDER);

export async function migrate(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  if (waitingMigrations(migrations, await appliedIn(database)).length === 0) return [];
  return database.transaction(async (sql) => {
    await sql.run(`SELECT pg_advisory_xact_lock(hashtext('unwrite migrations ' || :schema))`, {
      schema: database.schema,
    });
    await sql.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(database.schema)}`);
    await sql.run(`
      CREATE TABLE IF NOT EXISTS @schema_migrations (
        number       integer PRIMARY KEY,
        name         text NOT NULL,
        digest       text NOT NULL,
        applied_time timestamptz NOT NULL DEFAULT now()
      )
    `);
    await sql.run(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const waiting = waitingMigrations(migrations, await appliedRows(sql));
    for (const { number, name, digest, sql: text } of waiting) {
      await sql.run(text);
      await sql.run(
        'INSERT INTO @schema_migrations (number, name, digest) VALUES (:number, :name, :digest)',
        {
          number,
          name,
          digest,
        },
      );
    }
    return waiting.map(({ name }) => name);
  });
}

export async function migrationStatus(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<MigrationStatus> {
  return statusOf(migrations, await appliedIn(database));
}

async function appliedIn(database: Database): Promise<AppliedMigration[]> {
  const found = await database.get<{ there: boolean }>(
    `SELECT EXISTS (
       SELECT 1 FROM pg_tables WHERE schemaname = :schema AND tablename = 'schema_migrations') AS there`,
    { schema: database.schema },
  );
  return found?.there ? appliedRows(database) : [];
}

function appliedRows(sql: Sql): Promise<AppliedMigration[]> {
  return sql.all('SELECT number, name, digest FROM @schema_migrations ORDER BY number');
}
