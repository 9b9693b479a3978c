// One statement being written, with the values it binds.
import type { Bind, SqlDialect } from './dialect.ts';
import type { SqlResult, SqlSession, SqlValue } from './session.ts';

export async function runStatement(
  session: SqlSession,
  dialect: SqlDialect,
  write: (bind: Bind) => string,
): Promise<SqlResult> {
  const values: SqlValue[] = [];
  const sql = write((value) => dialect.placeholder(values.push(value)));
  return session.query(sql, values);
}

export function* inChunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** `c0`, `c1`, …: the names of the columns of a key or a reference in results. */
export function columnNames(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => `${prefix}${place}`);
}

export function textAt(row: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = row[name];
  return typeof value === 'string' ? value : null;
}
