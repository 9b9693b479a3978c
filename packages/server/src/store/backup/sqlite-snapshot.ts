// One read transaction on a connection of its own: SQLite's backup() would begin again after every write, and beside a busy
// server never end. Writers go on; their log is cut only after the end.
import type { DatabaseSync } from 'node:sqlite';
import { databaseOn } from '../sqlite/database.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import type { BackedTable, ColumnKind, Row } from './backup-format.ts';
import { countIn, describeStore, inOrder, ROWS_AT_ONCE, type StoreSnapshot } from './snapshot.ts';

const KINDS: Readonly<Record<string, ColumnKind>> = {
  INTEGER: 'number',
  TEXT: 'text',
  BLOB: 'bytes',
};

export async function withSqliteSnapshot<T>(
  databasePath: string,
  work: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  const connection = openDatabase(databasePath, 'read');
  try {
    return await databaseOn(connection).snapshot(async (sql) => {
      const described = await describeStore(sql);
      const tables = tablesOf(connection);
      return work({
        kind: 'sqlite',
        ...described,
        tables,
        sequences: sequencesOf(connection),
        countRows: () => countIn(sql, tables),
        rows: (table) => rowsOf(connection, table),
      });
    });
  } finally {
    connection.close();
  }
}

function tablesOf(connection: DatabaseSync): BackedTable[] {
  const found = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return inOrder(
    found.map(({ name }) => ({ name: String(name), columns: columnsOf(connection, String(name)) })),
  );
}

export function columnsOf(connection: DatabaseSync, table: string): BackedTable['columns'] {
  return connection
    .prepare('SELECT name, type FROM pragma_table_info(?)')
    .all(table)
    .map(({ name, type }) => {
      const kind = KINDS[String(type)];
      if (kind === undefined) throw new Error(`a backup has no kind for ${type}`);
      return { name: String(name), kind };
    });
}

function sequencesOf(connection: DatabaseSync): Record<string, number> {
  const rows = connection.prepare('SELECT name, seq FROM sqlite_sequence ORDER BY name').all();
  return Object.fromEntries(rows.map(({ name, seq }) => [String(name), Number(seq)]));
}

async function* rowsOf(connection: DatabaseSync, table: BackedTable): AsyncGenerator<Row[]> {
  const names = table.columns.map(({ name }) => name).join(', ');
  const keys = connection
    .prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
    .all(table.name)
    .map(({ name }) => name);
  const statement = connection.prepare(
    `SELECT ${names} FROM ${table.name} ORDER BY ${keys.join(', ')}`,
  );
  statement.setReturnArrays(true);
  let some: Row[] = [];
  for (const row of statement.iterate()) {
    some.push(row as unknown as Row);
    if (some.length < ROWS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
