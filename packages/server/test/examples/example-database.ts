// A database with an example's tables, and every row in it.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { emptiedPostgres } from '../helpers/databases/emptied-postgres.ts';
import { freshMariadb, hasMariadb } from '../helpers/databases/fresh-mariadb.ts';
import { type FreshDatabase, hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { type Example, variableOf } from './example.ts';

export type Row = Record<string, unknown>;
/** By table; in the order of their first columns. */
export type Rows = Record<string, Row[]>;

export interface ExampleDatabase {
  /** What the plan says in the place of an address, and what is meant by it here. */
  readonly environment: Record<string, string>;
  run(sql: string): Promise<void>;
  everyRow(): Promise<Rows>;
  close(): Promise<void>;
}

export const isThere: Record<Example['database'], () => Promise<boolean>> = {
  SQLite: async () => true,
  PostgreSQL: hasPostgres,
  MariaDB: hasMariadb,
};

const TABLES = {
  SQLite: `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
  PostgreSQL: `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  MariaDB: `SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
};

export async function openExample(
  { database, folder: name }: Example,
  folder: string,
): Promise<ExampleDatabase> {
  if (database === 'SQLite') return openFile(join(folder, `${name}.db`));
  const server = await (database === 'PostgreSQL' ? emptiedPostgres() : freshMariadb());
  return {
    environment: { [variableOf(name)]: server.url },
    run: async (sql) => void (await server.query(sql)),
    everyRow: () => readEveryRow(database, server.query),
    close: server.close,
  };
}

function openFile(path: string): ExampleDatabase {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec('PRAGMA journal_mode = WAL');
  return {
    environment: {},
    run: async (sql) => database.exec(sql),
    everyRow: () => readEveryRow('SQLite', async (sql) => database.prepare(sql).all()),
    close: async () => database.close(),
  };
}

async function readEveryRow(
  kind: Example['database'],
  query: FreshDatabase['query'],
): Promise<Rows> {
  const rows: Rows = {};
  for (const { name } of await query(TABLES[kind])) {
    const table = String(name)
      .replace(/^public\./, '')
      .replaceAll('"', '');
    // As JSON: what the driver would make of times and numbers is left out of it.
    const found =
      kind === 'PostgreSQL'
        ? await query(`SELECT to_json(t)::text AS row FROM ${name} AS t`)
        : await query(`SELECT * FROM ${name}`);
    rows[table] = found
      .map((row) => JSON.parse(kind === 'PostgreSQL' ? String(row.row) : JSON.stringify(row)))
      .toSorted(byFirstColumn);
  }
  return rows;
}

function byFirstColumn(one: Row, other: Row): number {
  const difference = Number(Object.values(one)[0]) - Number(Object.values(other)[0]);
  return difference || JSON.stringify(one).localeCompare(JSON.stringify(other));
}
