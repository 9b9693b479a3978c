// What becomes of a shared statement in each database. Only how it is written, never what it decides.

/** What is kept in other places. */
export interface Dialect {
  /**
   * Where a request may be, in this order: it moves from the first to the second, and never back. Two
   * statements that look into one after the other do not miss it.
   */
  readonly requestTables: readonly string[];
  /** Where rows of the audit log may be, each with a number. */
  readonly auditTables: readonly string[];
  /** How long after a higher number of a request a lower one may still be committed. */
  readonly lateNumbersMs: number;
}

/** `:name`, and not the second half of `::type`. */
const VALUE = /(?<![:\w]):([a-z]\w*)/gi;

export interface PostgresStatement {
  readonly text: string;
  /** The names of its values, in the order of their numbers. None where it has numbers already. */
  readonly names: readonly string[];
}

export function postgresStatement(text: string, schema: string): PostgresStatement {
  const names: string[] = [];
  const numbered = text.replaceAll(VALUE, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
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

export function sqliteText(text: string): string {
  return (
    text
      .replaceAll(/json_to_recordset\((:\w+)::json\)\s+AS (\w+)\s+\(([^)]*)\)/g, tableOfRows)
      .replaceAll(/= ANY\((:\w+)::bytea\[\]\)/g, 'IN (SELECT unhex(value) FROM json_each($1))')
      .replaceAll(/= ANY\((:\w+)::\w+\[\]\)/g, 'IN (SELECT value FROM json_each($1))')
      .replaceAll(/<> ALL\((:\w+)::\w+\[\]\)/g, 'NOT IN (SELECT value FROM json_each($1))')
      .replaceAll(/decode\(([^(),]+), 'hex'\)/g, 'unhex($1)')
      // A transaction that writes is alone.
      .replaceAll(/\s+FOR UPDATE( OF \w+)?( SKIP LOCKED)?/g, '')
      .replaceAll(/ COLLATE "C"/g, '')
      .replaceAll(/::\w+(\[\])?/g, '')
      .replaceAll(/@all_requests|@new_audit_rows|request_uuid/g, (word) => SAME[word] ?? word)
      .replaceAll('@', '')
  );
}

/** `AS rows ("taskNo" bigint, state text)`: the types are PostgreSQL's. */
function tableOfRows(_: string, value: string, name: string, columns: string): string {
  const names = columns.split(',').map((column) => column.trim().split(/\s+/)[0] ?? '');
  const selected = names.map((column) => `value ->> '${column.replaceAll('"', '')}' AS ${column}`);
  return `(SELECT ${selected.join(', ')} FROM json_each(${value})) AS ${name}`;
}
