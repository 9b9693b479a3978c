// The port through which both databases are used. Statements are written once, in PostgreSQL's SQL:
//   :name    a value, by name
//   @name    a table of ours, in any schema
//   ::type   a type that PostgreSQL cannot know by itself
// dialect.ts translates them.
import type { RowMacs } from '../domain/keys/row-macs.ts';
import type { Dialect } from './dialect.ts';
import { storedJsonText } from './stored-text.ts';

/** By name. A list is an array to PostgreSQL and JSON to SQLite. */
export type Values = Readonly<Record<string, unknown>>;

export interface Sql {
  readonly dialect: Dialect;
  /** Authenticates rows that Unwrite must later recognise as its own. */
  readonly rowMacs: RowMacs;
  all<Row>(text: string, values?: Values): Promise<Row[]>;
  /** The first row, if any. */
  get<Row>(text: string, values?: Values): Promise<Row | undefined>;
  /** Returns how many rows were written. */
  run(text: string, values?: Values): Promise<number>;
}

export interface Transaction extends Sql {
  /** A lock across all nodes, until the end of the transaction. `shared`: together with others who share it. */
  lock(what: string, how?: 'shared'): Promise<void>;
}

export interface Database extends Sql {
  /**
   * Only `sql` may be used inside: on SQLite the transaction owns the connection, and every other user of
   * it waits for the end. On PostgreSQL it is read committed, and is retried after a deadlock.
   */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** All reads see the same snapshot, however long they take. */
  snapshot<T>(read: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * The same database, but each statement is replanned. PostgreSQL soon keeps the plan of a prepared statement. A
   * plan made while the tables were small reads whole tables for every row of a join until autovacuum runs ANALYZE
   * again; within that minute the tables may have grown by a hundred thousand rows. On SQLite there is no difference.
   */
  readonly unprepared: Database;
}

/** Reads a table; its contents do not matter. */
export async function ping(sql: Sql): Promise<void> {
  await sql.get('SELECT 1 FROM @controllers LIMIT 1');
}

/** A durable write that changes nothing. */
export async function tryWrite(sql: Sql): Promise<void> {
  await sql.run('UPDATE @alarm_progress SET looked_time = looked_time');
}

/**
 * Many rows in one value, for `json_to_recordset(:name::json) AS …`. To PostgreSQL they are JSON, with bytes in
 * hexadecimal: `decode(column, 'hex')`.
 */
export class Rows {
  readonly rows: readonly object[];

  constructor(rows: readonly object[]) {
    this.rows = rows;
  }

  asJson(): string {
    return storedJsonText(JSON.stringify(this.rows.map(withoutBytes)));
  }
}

function withoutBytes(row: object): object {
  const entries = Object.entries(row);
  if (!entries.some(([, value]) => value instanceof Uint8Array)) return row;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Uint8Array ? hex(value) : value]),
  );
}

export const rowsOf = (rows: readonly object[]): Rows => new Rows(rows);

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** The conditions whose values are given in the filter. A condition has the same name as its value. */
export function conditionsOf(filter: object, conditions: Readonly<Record<string, string>>): string {
  const given = Object.entries(conditions).filter(
    ([name]) => (filter as Readonly<Record<string, unknown>>)[name] !== undefined,
  );
  return given.length === 0 ? 'true' : given.map(([, condition]) => condition).join(' AND ');
}
