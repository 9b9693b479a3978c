// The databases that cases are played on: one of each kind for a whole run, emptied between two cases.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SqlConnector } from '../../src/domain/target/target.ts';
import { freshMariadb } from '../helpers/databases/fresh-mariadb.ts';
import { freshPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openSqliteTargetsInThread } from '../helpers/databases/sqlite-in-thread.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { type DatabaseName, type GeneratedCase, LATE } from './generated-case.ts';
import { connectMariadb, connectPostgres } from './second-connection.ts';
import { writeSchema } from './write-ddl.ts';

export interface CaseDatabase {
  readonly name: DatabaseName;
  readonly connector: SqlConnector;
  /** Of this case. */
  address(): string;
  build(generated: Pick<GeneratedCase, 'tables' | 'rows'>): Promise<void>;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Of somebody else: what it has not committed holds others up. Without one where only one can write. */
  readonly beside: { query(sql: string): Promise<Record<string, unknown>[]> } | undefined;
  /** Whether a transaction waits for another. */
  isWaiting(): Promise<boolean>;
  close(): Promise<void>;
}

export async function openCaseDatabase(name: DatabaseName): Promise<CaseDatabase> {
  switch (name) {
    case 'postgres':
      return openPostgres();
    case 'mariadb':
    case 'mysql':
      return openMariadb(name);
    case 'sqlite':
      return openSqlite();
  }
}

async function openPostgres(): Promise<CaseDatabase> {
  const database = await freshPostgres();
  const beside = await connectPostgres(database.url);
  return {
    name: 'postgres',
    connector: 'postgres',
    address: () => database.url,
    async build({ tables, rows }) {
      const statements = [
        'SET client_min_messages = error',
        'DROP SCHEMA public CASCADE',
        'CREATE SCHEMA public',
        `CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
        ...writeSchema('postgres', tables, rows),
      ];
      await database.query(statements.join(';\n'));
    },
    query: database.query,
    beside,
    async isWaiting() {
      const rows = await database.query(
        `SELECT 1 AS it FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    },
    async close() {
      await beside.close();
      await database.close();
    },
  };
}

async function openMariadb(name: 'mariadb' | 'mysql'): Promise<CaseDatabase> {
  const database = await freshMariadb();
  const beside = await connectMariadb(database.url);
  let made: readonly string[] = [];
  return {
    name,
    connector: 'mysql',
    address: () => database.url,
    async build({ tables, rows }) {
      const drop = made.length > 0 ? [`DROP TABLE IF EXISTS ${made.join(', ')}`] : [];
      made = [...tables.map((table) => table.name), LATE];
      const statements = [
        'SET foreign_key_checks = 0',
        ...drop,
        ...writeSchema(name, tables, rows),
        'SET foreign_key_checks = 1',
      ];
      await database.query(statements.join(';\n'));
    },
    query: database.query,
    beside,
    async isWaiting() {
      const rows = await database.query("SHOW STATUS LIKE 'Innodb_row_lock_current_waits'");
      return rows[0]?.Value !== '0';
    },
    async close() {
      await beside.close();
      await database.close();
    },
  };
}

function openSqlite(): CaseDatabase {
  const folder = makeTemporaryFolder();
  const stop = openSqliteTargetsInThread();
  let path = '';
  let database: DatabaseSync | undefined;
  const forget = () => {
    database?.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  };
  return {
    name: 'sqlite',
    connector: 'sqlite',
    address: () => path,
    async build({ tables, rows }) {
      if (path !== '') forget();
      path = join(folder.path, `${randomUUID()}.db`);
      database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: false });
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN');
      database.exec(writeSchema('sqlite', tables, rows).join(';\n'));
      database.exec('COMMIT; PRAGMA foreign_keys = ON');
    },
    async query(sql) {
      if (database === undefined) throw new Error('there is no case');
      return database.prepare(sql).all() as Record<string, unknown>[];
    },
    beside: undefined,
    isWaiting: async () => false,
    async close() {
      forget();
      stop();
      folder.remove();
    },
  };
}
