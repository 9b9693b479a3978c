// information_schema lists only the columns on which the account has a right, and does not say that there are
// others. The server itself does: it then refuses to read all of them.
import { SqlFailure, type SqlSession } from '../sql/session.ts';
import { quoteMysqlName } from './quote-name.ts';

/** Rights on a table, and on a column. */
const DENIED = new Set(['sql_1142', 'sql_1143']);
/** Fewer than a server can join. */
const AT_ONCE = 20;

/** The tables, each as `schema` and `table`, of which columns are hidden. */
export async function findHiddenColumns<T extends { readonly schema: string; table: string }>(
  session: SqlSession,
  tables: readonly T[],
): Promise<T[]> {
  if (tables.length === 0) return [];
  if (tables.length <= AT_ONCE && (await mayReadAll(session, tables))) return [];
  if (tables.length === 1) return [...tables];
  const half = Math.ceil(tables.length / 2);
  return [
    ...(await findHiddenColumns(session, tables.slice(0, half))),
    ...(await findHiddenColumns(session, tables.slice(half))),
  ];
}

async function mayReadAll(
  session: SqlSession,
  tables: readonly { readonly schema: string; table: string }[],
): Promise<boolean> {
  const joined = tables.map(
    ({ schema, table }, place) => `${quoteMysqlName(schema)}.${quoteMysqlName(table)} AS t${place}`,
  );
  try {
    await session.query(`EXPLAIN SELECT * FROM ${joined.join(', ')} WHERE 1 = 0`);
    return true;
  } catch (error) {
    if (isDenied(error)) return false;
    throw error;
  }
}

export function isDenied(error: unknown): boolean {
  return error instanceof SqlFailure && DENIED.has(error.code);
}
