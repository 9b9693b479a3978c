// Reads many rows, with their values as texts.
import type { ColumnShape } from './catalogue.ts';
import type { Bind, Selected, SqlDialect } from './dialect.ts';
import type { SqlRow, SqlSession } from './session.ts';
import { runStatement } from './statement.ts';

export function selectKey(dialect: SqlDialect, column: ColumnShape, name: string): Selected {
  return { sql: dialect.readKey(column), name, isPlain: isPlain(column) };
}

export function selectText(dialect: SqlDialect, column: ColumnShape, name: string): Selected {
  return { sql: dialect.readText(column), name, isPlain: isPlain(column) };
}

/** Whether the text of such a column is never empty and never contains a comma. */
export function isPlain({ kind }: ColumnShape): boolean {
  return kind !== 'text' && kind !== 'other';
}

export function selectList(select: readonly Selected[], bind: Bind): string {
  return select
    .map(({ sql, name }) => `${typeof sql === 'string' ? sql : sql(bind)} AS ${name}`)
    .join(', ');
}

/** `write` gets the list for SELECT or RETURNING. */
export async function selectRows(
  session: SqlSession,
  dialect: SqlDialect,
  select: readonly Selected[],
  write: (list: string, bind: Bind) => string,
): Promise<readonly SqlRow[]> {
  const { pack } = dialect;
  const { rows } = await runStatement(session, dialect, (bind) => {
    const sql = write(selectList(select, bind), bind);
    return pack === null ? sql : pack(sql, select);
  });
  return pack === null ? rows : unpack(select, rows[0] ?? {});
}

/** Each column is an array, or, if it is plain, a text separated by commas; NULL if there are no rows. */
function unpack(select: readonly Selected[], packed: SqlRow): SqlRow[] {
  const columns = select.map(({ name }): readonly unknown[] => {
    const column = packed[name];
    if (typeof column !== 'string') return (column ?? []) as unknown[];
    return column.split(',').map((text) => (text === '' ? null : text));
  });
  const names = select.map(({ name }) => name);
  return (columns[0] ?? []).map((_, at) => {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < names.length; place++)
      row[names[place] ?? ''] = columns[place]?.[at];
    return row;
  });
}
