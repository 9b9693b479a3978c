// How SQLite compares the texts of each column. No table or function returns a column's collation, so it is
// found by a comparison: the result of a UNION has the collation of the first SELECT and the values of the
// second.
import { SqlFailure, type SqlRow, type SqlSession } from '../sql/session.ts';

const BUILT_IN = new Set(['BINARY', 'NOCASE', 'RTRIM']);
const MISSING_COLLATION = 'sql_257';
const INDEXED = `
  SELECT DISTINCT i.coll AS collation
  FROM pragma_index_list(?, 'main') l JOIN pragma_index_xinfo(l.name, 'main') i
  WHERE i.key = 1 AND i.coll IS NOT NULL`;

export interface Collations {
  /** By column; without columns that compare character by character. */
  readonly loose: ReadonlyMap<string, string>;
  /** Collations that only the application has. */
  readonly unknown: readonly string[];
}

/** `table`: its row in the schema. */
export async function readCollations(
  session: SqlSession,
  table: SqlRow,
  columns: readonly string[],
): Promise<Collations> {
  const loose = new Map<string, string>();
  const indexed = (await session.query(INDEXED, [String(table.name)])).rows
    .map(({ collation }) => String(collation))
    .filter((collation) => !BUILT_IN.has(collation.toUpperCase()));
  if (!/collate/i.test(String(table.sql))) return { loose, unknown: indexed };
  try {
    const answers = await ask(session, String(table.name), columns);
    for (const [place, collation] of answers.entries())
      if (collation !== null) loose.set(columns[place] ?? '', collation);
    return { loose, unknown: indexed };
  } catch (error) {
    if (!(error instanceof SqlFailure) || error.code !== MISSING_COLLATION) throw error;
    return { loose, unknown: [...new Set([...indexed, ...writtenNames(String(table.sql))])] };
  }
}

async function ask(
  session: SqlSession,
  table: string,
  columns: readonly string[],
): Promise<(string | null)[]> {
  const own = columns.map((column, place) => `${quote(column)} AS c${place}`).join(', ');
  const values = columns.map(() => "'a'").join(', ');
  const answers = columns.map(
    (_, place) =>
      `CASE 1 WHEN c${place} = 'A' THEN 'NOCASE' WHEN c${place} = 'a ' THEN 'RTRIM' END AS a${place}`,
  );
  const { rows } = await session.query(
    `SELECT ${answers.join(', ')} FROM (SELECT ${own} FROM main.${quote(table)} WHERE 0 UNION ALL SELECT ${values})`,
  );
  return columns.map((_, place) => {
    const answer = rows[0]?.[`a${place}`];
    return typeof answer === 'string' ? answer : null;
  });
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The names in the table's own text, because SQLite says only that a collation is missing. */
function writtenNames(sql: string): string[] {
  return [...sql.matchAll(/\bcollate\s+["'`[]?([^\s,"'`)\]]+)/gi)]
    .map(([, name = '']) => name)
    .filter((name) => !BUILT_IN.has(name.toUpperCase()));
}
