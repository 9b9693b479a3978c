// Migrates the schema in one transaction under its own lock: if twenty nodes start at once, one migrates and
// the others wait for it. Nodes that cannot work with it must not run.
import { NODE_ALIVE_MS } from '../../domain/store/node-ports.ts';
import { packageFile } from '../../files/own-files.ts';
import { quoteName } from '../dialect.ts';
import {
  type AppliedMigration,
  type Migration,
  MigrationMismatch,
  type MigrationStatus,
  readMigrationsIn,
  statusOf,
  versionOf,
  waitingMigrations,
} from '../migrations.ts';
import type { Database, Sql } from './database.ts';

const FOLDER = packageFile('migrations/postgres/');

/** A migration that waits for a busy table would block every later statement on it: fail and retry instead. */
const LOCK_TIMEOUT = '5s';

/**
 * Without it, the server goes on with the statement of a process that was killed, and with its locks, to the end. Not every
 * platform that PostgreSQL runs on can look.
 */
const LOOK_FOR_CLIENT = `DO $$ BEGIN
  PERFORM set_config('client_connection_check_interval', '2s', true);
EXCEPTION WHEN invalid_parameter_value THEN NULL; END $$`;

let own: readonly Migration[] | undefined;

/** Those of this version: read once, as the files may be replaced while it runs. */
export function readMigrations(): readonly Migration[] {
  own ??= readMigrationsIn(FOLDER);
  return own;
}

/** What this version knows. */
export const ownSchemaVersion = (): number => versionOf(readMigrations());

export async function migrate(
  database: Database,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  if (waitingMigrations(migrations, await appliedIn(database)).length === 0) return [];
  return database.transaction(async (sql) => {
    await sql.takeTime();
    await sql.run(LOOK_FOR_CLIENT);
    await sql.run(`SELECT pg_advisory_xact_lock(hashtext('unwrite migrations ' || :schema))`, {
      schema: database.schema,
    });
    await sql.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(database.schema)}`);
    await sql.run(`
      CREATE TABLE IF NOT EXISTS @schema_migrations (
        number       integer PRIMARY KEY,
        name         text NOT NULL,
        digest       text NOT NULL,
        works_from   integer NOT NULL,
        applied_time timestamptz NOT NULL DEFAULT now()
      )
    `);
    await sql.run(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const applied = await appliedRows(sql);
    const waiting = waitingMigrations(migrations, applied);
    if (applied.length > 0) await requireRunningCanGoOn(sql, waiting);
    for (const { sql: text, ...mark } of waiting) {
      await sql.run(text);
      await sql.run(
        `INSERT INTO @schema_migrations (number, name, digest, works_from)
         VALUES (:number, :name, :digest, :worksFrom)`,
        mark,
      );
    }
    return waiting.map(({ name }) => name);
  });
}

/** Heartbeats wait until the transaction ends: a node that starts meanwhile sees what was migrated. */
async function requireRunningCanGoOn(sql: Sql, waiting: readonly Migration[]): Promise<void> {
  await sql.run('LOCK TABLE @nodes IN SHARE ROW EXCLUSIVE MODE');
  const running = await sql.all<{ node: string; knows: number }>(
    `SELECT node_id || ' (version ' || version || ')' AS node, schema_version AS knows FROM @nodes
     WHERE seen_time > extract(epoch FROM clock_timestamp()) * 1000 - :aliveMs
     ORDER BY node_id`,
    { aliveMs: NODE_ALIVE_MS },
  );
  for (const { name, worksFrom } of waiting) {
    const excluded = running.filter(({ knows }) => knows < worksFrom).map(({ node }) => node);
    if (excluded.length === 0) continue;
    throw new MigrationMismatch(
      `migration ${name} removes what running nodes use: ${excluded.join(', ')}; stop them, or upgrade them to the version before this one, then start this one again`,
    );
  }
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
  return sql.all(
    `SELECT number, name, digest, works_from AS "worksFrom" FROM @schema_migrations ORDER BY number`,
  );
}
