// Foreign keys that SQLite stores but cannot follow: because of them it refuses every DELETE on both
// tables. It does not report them earlier, and applications that leave foreign keys off never notice.
import type { BrokenKey } from '../sql/catalogue.ts';
import type { SqlRow, SqlSession } from '../sql/session.ts';

const sorted = (name: string) => `group_concat(lower(${name}), char(0) ORDER BY lower(${name}))`;
const BROKEN = `
  WITH keys AS (
    SELECT t.name AS child, k."table" AS parent, count(*) AS size,
           json_group_array(k."from" ORDER BY k.seq) AS columns,
           json_group_array(coalesce(k."to", p.name) ORDER BY k.seq) AS referenced,
           ${sorted('coalesce(k."to", p.name)')} AS sought
    FROM main.sqlite_schema t JOIN pragma_foreign_key_list(t.name, 'main') k
    LEFT JOIN pragma_table_xinfo(k."table", 'main') p ON k."to" IS NULL AND p.pk = k.seq + 1
    WHERE t.type = 'table' GROUP BY t.name, k.id)
  SELECT child, parent, columns, referenced,
         EXISTS (SELECT 1 FROM pragma_table_xinfo(parent, 'main')) AS isThere
  FROM keys
  WHERE NOT coalesce(sought = (
      SELECT ${sorted('c.name')} FROM pragma_table_xinfo(parent, 'main') c WHERE c.pk > 0), 0)
    AND NOT EXISTS (
      SELECT 1 FROM pragma_index_list(parent, 'main') l
      WHERE l."unique" = 1 AND l.partial = 0 AND (sought, size) = (
        SELECT ${sorted('i.name')}, count(*) FROM pragma_index_info(l.name, 'main') i))`;

export async function readBrokenKeys(session: SqlSession): Promise<BrokenKey[]> {
  return (await session.query(BROKEN)).rows.map(toBrokenKey);
}

function toBrokenKey(row: SqlRow): BrokenKey {
  const names = (text: unknown) =>
    (JSON.parse(String(text)) as (string | null)[]).filter((name) => name !== null);
  return {
    table: String(row.child),
    columns: names(row.columns),
    referenced: String(row.parent),
    referencedColumns: Number(row.isThere) === 1 ? names(row.referenced) : null,
  };
}
