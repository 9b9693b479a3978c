// An empty store on the run's PostgreSQL server: a schema of its own, migrated. To make one takes a quarter of
// a second, so the next test of the same file gets the one before, emptied, if nobody changed its shape.
// describe.skipIf(!(await hasPostgres()))('…', …)
import { randomBytes } from 'node:crypto';
import { quoteName } from '../../../src/store/dialect.ts';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
} from '../../../src/store/postgres/database.ts';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { atEndOfFile } from '../at-end-of-file.ts';
import { borrowServer } from '../databases/borrow-server.ts';
import { withTestMacs } from './row-macs.ts';

export interface FreshStoreDatabase {
  readonly options: DatabaseOptions;
  readonly database: Database;
  close(): Promise<void>;
}

interface Made {
  readonly options: DatabaseOptions;
  /** Open: what a new connection reads of the catalogue costs more than a test. */
  readonly database: Database;
  readonly shape: string;
  /** What empties it: to ask the catalogue for the names each time costs as much. */
  readonly emptying: string;
}

const emptied: Made[] = [];

export async function freshStoreDatabase(
  changes: Partial<DatabaseOptions> = {},
): Promise<FreshStoreDatabase> {
  const isUsual = Object.keys(changes).length === 0;
  const made = (isUsual ? emptied.pop() : undefined) ?? (await make(changes));
  const { options, database, shape, emptying } = made;
  return {
    options,
    database,
    async close() {
      if (isUsual && (await shapeOf(database)) === shape) {
        await database.transaction((sql) => sql.run(emptying));
        emptied.push(made);
        atEndOfFile(dropEmptied);
      } else await dropAndClose(database);
    },
  };
}

async function dropEmptied(): Promise<void> {
  for (const { database } of emptied.splice(0)) await dropAndClose(database);
}

async function make(changes: Partial<DatabaseOptions>): Promise<Made> {
  const options = await optionsFor(changes);
  const database = withTestMacs(openDatabase(options));
  await migrate(database);
  return {
    options,
    database,
    shape: await shapeOf(database),
    emptying: await statementsToEmpty(database),
  };
}

async function optionsFor(changes: Partial<DatabaseOptions>): Promise<DatabaseOptions> {
  const server = await borrowServer('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL; skip with hasPostgres()');
  return {
    url: new URL('postgres', server).href,
    schema: `store_${randomBytes(6).toString('hex')}`,
    poolSize: 4,
    statementTimeout: 30_000,
    prepare: true,
    name: 'unwrite test',
    ...changes,
  };
}

async function dropAndClose(database: Database): Promise<void> {
  // In a transaction, which is run again after a deadlock: what a test has left behind may still be at it.
  await database.transaction((sql) =>
    sql.run(`DROP SCHEMA IF EXISTS ${quoteName(database.schema)} CASCADE`),
  );
  await database.close();
}

/** Changes with every table, index, column, trigger, function and constraint. */
async function shapeOf(database: Database): Promise<string> {
  const row = await database.get<{ shape: string | null }>(
    `WITH space AS (SELECT oid FROM pg_namespace WHERE nspname = $1),
     own AS (SELECT oid, relname, relnatts FROM pg_class WHERE relnamespace = (SELECT oid FROM space))
     SELECT string_agg(it, ' ' ORDER BY it) AS shape FROM (
       SELECT oid || ':' || relname || ':' || relnatts FROM own
       UNION ALL SELECT oid::text FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM own)
       UNION ALL SELECT oid::text FROM pg_proc WHERE pronamespace = (SELECT oid FROM space)
       UNION ALL SELECT oid::text FROM pg_constraint WHERE connamespace = (SELECT oid FROM space)
     ) AS parts (it)`,
    [database.schema],
  );
  return row?.shape ?? '';
}

async function statementsToEmpty(database: Database): Promise<string> {
  const schema = quoteName(database.schema);
  const tables = await database.all<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables
     WHERE schemaname = $1 AND tablename <> 'schema_migrations'`,
    [database.schema],
  );
  const sequences = await database.all<{ name: string }>(
    'SELECT quote_ident(sequencename) AS name FROM pg_sequences WHERE schemaname = $1',
    [database.schema],
  );
  return [
    // Of those that others refer to, after those: without the checks the order does not matter.
    'SET LOCAL session_replication_role = replica',
    ...tables.map(({ name }) => `DELETE FROM ${schema}.${name}`),
    // Not ALTER SEQUENCE: that writes a new file for each of them.
    ...sequences.map(({ name }) => `SELECT setval('${schema}.${name}', 1, false)`),
    `INSERT INTO ${schema}.alarm_progress VALUES (1, -1, 0, 0, 0, 0, 0, 0)`,
  ].join(';\n');
}
