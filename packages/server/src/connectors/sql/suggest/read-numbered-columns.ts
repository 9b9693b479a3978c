// Columns that the database numbers by itself. A plan does not need them, but the draft's guesses about keys
// do.
import type { SqlDialect } from '../dialect.ts';
import type { SqlSession } from '../session.ts';
import type { IsNumbered } from './references-by-name.ts';

export async function readNumberedColumns(
  session: SqlSession,
  { draftSql }: SqlDialect,
): Promise<IsNumbered> {
  const { rows } = await session.query(draftSql.numberedColumns);
  const known = new Set(rows.map(({ name, numbered }) => `${name}\0${numbered}`));
  return (table, column) => known.has(`${table}\0${column}`);
}
