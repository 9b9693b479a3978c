// One repeatable-read transaction. Rows are read through cursors, so that memory does not grow with the store.
import { quoteName } from '../dialect.ts';
import type { Database, Sql } from '../postgres/database.ts';
import { refuseUnfinishedCopy } from '../postgres/unfinished-copy.ts';
import type { BackedTable, ColumnKind, Row, Value } from './backup-format.ts';
import { countIn, describeStore, inOrder, ROWS_AT_ONCE, type StoreSnapshot } from './snapshot.ts';

/** Of the nodes that run now, and of this schema: what it is, and the copy that it was made by. */
const NOT_BACKED = ['nodes', 'login_failures', 'schema_migrations', 'store_copy', 'copied_tables'];

const KINDS: Readonly<Record<string, ColumnKind>> = {
  bigint: 'number',
  integer: 'number',
  text: 'text',
  bytea: 'bytes',
};

export function withPostgresSnapshot<T>(
  database: Database,
  work: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  const { schema } = database;
  return database.unprepared.snapshot(async (sql) => {
    // A consumer may be slow: what it does not take in time must not end the transaction.
    await sql.run('SET LOCAL idle_in_transaction_session_timeout = 0');
    await refuseUnfinishedCopy(sql);
    const described = await describeStore(sql);
    const tables = await tablesIn(sql, schema);
    return work({
      kind: 'postgres',
      ...described,
      tables,
      sequences: await sequencesIn(sql, schema),
      countRows: () => countIn(sql, tables),
      rows: (table) => rowsOf(sql, table),
    });
  });
}

interface FoundColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

export async function columnsIn(sql: Sql, schema: string): Promise<FoundColumn[]> {
  return sql.all<FoundColumn>(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = :schema::text::regnamespace AND c.relkind = 'r' AND a.attnum > 0
       AND NOT a.attisdropped
     ORDER BY c.relname, a.attnum`,
    { schema: quoteName(schema) },
  );
}

async function tablesIn(sql: Sql, schema: string): Promise<BackedTable[]> {
  const columns = await columnsIn(sql, schema);
  const byTable = Map.groupBy(
    columns.filter(({ table }) => !NOT_BACKED.includes(table)),
    ({ table }) => table,
  );
  return inOrder(
    [...byTable].map(([name, found]) => ({
      name,
      columns: found.map((column) => ({
        name: column.name,
        kind: KINDS[column.type] ?? 'other',
      })),
    })),
  );
}

interface Numbered {
  readonly table: string;
  /** Of the sequence, as PostgreSQL writes it. */
  readonly sequence: string;
  readonly last: number | null;
}

export function numberedIn(sql: Sql, schema: string): Promise<Numbered[]> {
  return sql.all<Numbered>(
    `SELECT it.table, it.sequence, pg_sequence_last_value(it.sequence::regclass) AS last FROM (
       SELECT c.relname AS table,
              pg_get_serial_sequence(:schema || '.' || quote_ident(c.relname), a.attname) AS sequence
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relnamespace = :schema::text::regnamespace AND c.relkind = 'r' AND a.attidentity <> ''
     ) AS it ORDER BY it.table`,
    { schema: quoteName(schema) },
  );
}

async function sequencesIn(sql: Sql, schema: string): Promise<Record<string, number>> {
  const found = await numberedIn(sql, schema);
  return Object.fromEntries(found.map(({ table, last }) => [table, last ?? 0]));
}

async function* rowsOf(sql: Sql, table: BackedTable): AsyncGenerator<Row[]> {
  const read = table.columns.map(({ name, kind }) => (kind === 'other' ? `${name}::text` : name));
  const key = await sql.get<{ names: string }>(
    `SELECT string_agg(a.attname, ', ' ORDER BY array_position(i.indkey, a.attnum)) AS names
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indisprimary AND i.indrelid = '@${table.name}'::regclass`,
  );
  await sql.run(
    `DECLARE backed NO SCROLL CURSOR FOR
     SELECT ${read.join(', ')} FROM @${table.name} ORDER BY ${key?.names}`,
  );
  for (;;) {
    const some = await sql.all<Record<string, Value>>(`FETCH ${ROWS_AT_ONCE} FROM backed`);
    if (some.length > 0) {
      yield some.map((row) => table.columns.map(({ name }) => row[name] ?? null));
    }
    if (some.length < ROWS_AT_ONCE) break;
  }
  await sql.run('CLOSE backed');
}
