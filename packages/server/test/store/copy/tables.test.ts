// Nothing is forgotten when a migration adds a table or a column to one of the stores.
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CopiedTable, readTables, TABLE_NAMES } from '../../../src/store/copy/tables.ts';
import { migrate } from '../../../src/store/sqlite/migrate.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import {
  type FreshStoreDatabase,
  freshStoreDatabase,
} from '../../helpers/stores/fresh-store-database.ts';

const ONLY_IN_POSTGRES = [
  'archived_requests',
  'copied_tables',
  'login_failures',
  'new_audit_rows',
  'nodes',
  'schema_migrations',
  'store_copy',
];

let sqlite: DatabaseSync;
let tables: CopiedTable[];

beforeAll(() => {
  sqlite = new DatabaseSync(':memory:');
  migrate(sqlite, 0);
  tables = readTables(sqlite);
});
afterAll(() => sqlite.close());

it('every table of SQLite is copied, each with its key', () => {
  const there = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
  const own = ['schema_migrations', 'sqlite_sequence'];
  expect([...TABLE_NAMES, ...own].sort()).toEqual(there.sort());
  for (const { key } of tables) expect(key).not.toEqual([]);
});

describe.skipIf(!(await hasPostgres()))('PostgreSQL', () => {
  let target: FreshStoreDatabase;
  beforeAll(async () => {
    target = await freshStoreDatabase();
  });
  afterAll(() => target.close());

  it('has the same tables, columns and keys, and some tables of its own', async () => {
    const rows = await target.database.all<{ name: string; columns: string[]; key: string[] }>(
      `SELECT c.relname AS name,
              (SELECT array_agg(attname::text ORDER BY attname) FROM pg_attribute
               WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
              (SELECT array_agg(a.attname::text ORDER BY k.place)
               FROM pg_index i, unnest(i.indkey::int[]) WITH ORDINALITY AS k (attnum, place)
               JOIN pg_attribute a ON a.attnum = k.attnum
               WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid) AS key
       FROM pg_class c WHERE c.relnamespace = $1::text::regnamespace AND c.relkind = 'r'`,
      [target.options.schema],
    );
    const names = rows.map(({ name }) => name).sort();
    expect(names).toEqual([...TABLE_NAMES, ...ONLY_IN_POSTGRES].sort());
    for (const { name, columns, key } of tables) {
      const there = rows.find((row) => row.name === name);
      expect({ name, columns: columns.map((column) => column.name).sort() }).toEqual({
        name,
        columns: there?.columns,
      });
      expect(key.map((column) => column.name)).toEqual(there?.key);
    }
  });
});
