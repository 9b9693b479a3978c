// The three kinds of database, each real, as the tests of SQL connectors meet them.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SqlConnector } from '../../../src/domain/target/target.ts';
import { emptiedPostgres } from '../../helpers/databases/emptied-postgres.ts';
import { freshMariadb, hasMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import { type FreshDatabase, hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

export interface SqlTestDatabase {
  readonly connector: SqlConnector;
  /** Of an empty database. */
  readonly address: string;
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Begins a transaction of somebody else's with this statement; it is rolled back by the answer. */
  disturb(sql: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface SqlDatabaseKind {
  readonly name: string;
  readonly connector: SqlConnector;
  isThere(): Promise<boolean>;
  open(): Promise<SqlTestDatabase>;
}

function onServer(connector: SqlConnector, fresh: () => Promise<FreshDatabase>) {
  return async (): Promise<SqlTestDatabase> => {
    const database = await fresh();
    return {
      connector,
      address: database.url,
      query: database.query,
      async disturb(sql) {
        await database.query('BEGIN');
        await database.query(sql);
        return async () => void (await database.query('ROLLBACK'));
      },
      close: database.close,
    };
  };
}

async function openSqliteFile(): Promise<SqlTestDatabase> {
  const folder = makeTemporaryFolder();
  const path = join(folder.path, `${randomUUID()}.db`);
  // Schemas of other applications are made by writing to the schema itself.
  const database = new DatabaseSync(path, { timeout: 5000, defensive: false });
  database.exec('PRAGMA journal_mode = WAL');
  return {
    connector: 'sqlite',
    address: path,
    async query(sql, values = []) {
      if (values.length === 0 && /;\s*\S/.test(sql)) {
        database.exec(sql);
        return [];
      }
      return database.prepare(sql).all(...(values as string[])) as Record<string, unknown>[];
    },
    async disturb(sql) {
      database.exec('BEGIN IMMEDIATE');
      database.exec(sql);
      return async () => database.exec('ROLLBACK');
    },
    async close() {
      database.close();
      folder.remove();
    },
  };
}

export const SQL_DATABASES: readonly SqlDatabaseKind[] = [
  { name: 'SQLite', connector: 'sqlite', isThere: async () => true, open: openSqliteFile },
  {
    name: 'PostgreSQL',
    connector: 'postgres',
    isThere: hasPostgres,
    open: onServer('postgres', emptiedPostgres),
  },
  {
    name: 'MariaDB',
    connector: 'mysql',
    isThere: hasMariadb,
    open: onServer('mysql', freshMariadb),
  },
];
