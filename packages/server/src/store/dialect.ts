// Translates a shared statement for each database: only how it is written, never what it decides.

/** The tables that differ between the two databases. */
export interface Dialect {
  /**
   * The tables in which a request may be, in this order: it moves from the first to the second, never back. So
   * two statements that read one after the other cannot miss it.
   */
  readonly requestTables: readonly string[];
  /** The tables in which rows of the audit log may be, all with a number. */
  readonly auditTables: readonly string[];
  /** The table to which rows of the audit log are appended, and its key. */
  readonly arrivalTable: string;
  readonly arrivalNo: string;
  /** A request with a lower number may be committed up to this long after one with a higher number. */
  readonly lateNumbersMs: number;
}

/** `:name`, and not the second half of `::type`. */
const VALUE = /(?<![:\w]):([a-z]\w*)/gi;

export interface PostgresStatement {
  readonly text: string;
  /** The names of its values, in the order of their numbers. */
  readonly names: readonly string[];
}

/**
 * `isNamed`: the statement has named values. In other statements, such as migrations, only the tables are translated.
 */
export function postgresStatement(
  text: string,
  schema: string,
  isNamed: boolean,
): PostgresStatement {
  const names: string[] = [];
  const number = (_: string, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  };
  const numbered = isNamed ? text.replaceAll(VALUE, number) : text;
  return { text: numbered.replaceAll('@', `${quoteName(schema)}.`), names };
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** SQLite keeps all requests in one table, numbers audit rows on arrival, and compares ids without case. */
const SAME: Readonly<Record<string, string>> = {
  '@all_requests': 'requests',
  '@new_audit_rows': 'audit_rows',
  request_uuid: 'subject_request_id',
};

export interface SqliteStatement {
  readonly text: string;
  readonly names: readonly string[];
  /** The statement is run once for each row of this value; the places say what each `?` stands for, in order. */
  readonly rows?: { readonly name: string; readonly places: readonly Place[] };
}

/** A column of the row, or a named value, which is the same for all rows. */
export type Place = { readonly column: string } | { readonly value: string };

const ROWS = /json_to_recordset\(:(\w+)::json\)\s+AS (\w+)\s+\(([^)]*)\)/;
/** An update that needs only values of the row: SQLite gets these values directly, without a join. */
const UPDATE_FROM_ROWS = /^(\s*UPDATE (?:(?!\bFROM\b).)*?)\s+FROM ⟨rows⟩(?=\s+WHERE)/s;

/** SQLite is fast at running a prepared statement often: reading rows from JSON took four times as long. */
export function sqliteStatement(shared: string): SqliteStatement {
  const [, name, alias, declared] = ROWS.exec(shared) ?? [];
  if (name === undefined || declared === undefined) return withNames(sqliteText(shared));
  // The types are PostgreSQL's.
  const quoted = declared.split(',').map((column) => column.trim().split(/\s+/)[0] ?? '');
  const marked = shared.replace(ROWS, '⟨rows⟩');
  const values = UPDATE_FROM_ROWS.test(marked)
    ? marked
        .replace(UPDATE_FROM_ROWS, '$1')
        .replaceAll(new RegExp(`\\b${alias}\\.("?\\w+"?)`, 'g'), (_, column) => rowPlace(column))
    : marked.replace(
        '⟨rows⟩',
        `(SELECT ${quoted.map((column) => `${rowPlace(column)} AS ${column}`).join(', ')}) AS ${alias}`,
      );
  const places: Place[] = [];
  const text = sqliteText(values).replaceAll(PLACE, (_, column?: string, value = '') => {
    places.push(column === undefined ? { value } : { column });
    return '?';
  });
  return { text, names: [], rows: { name, places } };
}

/** A marker that cannot be confused with `:name`, until all places are counted. */
const rowPlace = (column: string) => `⟨${column.replaceAll('"', '')}⟩`;
const PLACE = new RegExp(`⟨(\\w+)⟩|${VALUE.source}`, 'gi');

function withNames(text: string): SqliteStatement {
  return { text, names: [...new Set([...text.matchAll(VALUE)].map(([, name = '']) => name))] };
}

function sqliteText(shared: string): string {
  return (
    shared
      .replaceAll(/= ANY\((:\w+)::bytea\[\]\)/g, 'IN (SELECT unhex(value) FROM json_each($1))')
      .replaceAll(/= ANY\((:\w+)::\w+\[\]\)/g, 'IN (SELECT value FROM json_each($1))')
      .replaceAll(/<> ALL\((:\w+)::\w+\[\]\)/g, 'NOT IN (SELECT value FROM json_each($1))')
      // A row's bytes are passed as bytes, not as hexadecimal text.
      .replaceAll(/decode\(([^(),]+), 'hex'\)/g, '$1')
      .replaceAll(/encode\(([^(),]+), 'hex'\)/g, 'lower(hex($1))')
      // A writing transaction is exclusive: row locks are not needed.
      .replaceAll(/\sFOR UPDATE( OF \w+)?( SKIP LOCKED)?/g, '')
      .replaceAll(/ COLLATE "C"/g, '')
      .replaceAll(/::\w+(\[\])?/g, '')
      .replaceAll(/@all_requests|@new_audit_rows|request_uuid/g, (word) => SAME[word] ?? word)
      .replaceAll('@', '')
  );
}
