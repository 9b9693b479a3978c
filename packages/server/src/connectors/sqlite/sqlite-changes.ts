// What a transaction has changed so far, according to the counters of its connection.
import { type ChangesByTable, OTHER_TABLES, type TableChanges } from '../sql/dialect.ts';
import type { SqlSession } from '../sql/session.ts';
import { idOf, localName } from './sqlite-catalogue.ts';
import type { CountedChanges } from './sqlite-counters.ts';

const CHANGES = 'SELECT unwrite_changes() AS changes, total_changes() AS total';
// A row that REPLACE removes fires no trigger and is not counted; but it is missing afterwards.
const REPLACES = `
  SELECT 1 AS n FROM main.sqlite_schema
  WHERE type IN ('table', 'trigger') AND sql LIKE '%replace%' LIMIT 1`;

/** `tables`: by their names in the plan. */
export async function readChanges(
  session: SqlSession,
  tables: readonly string[],
): Promise<ChangesByTable> {
  const { rows } = await session.query(CHANGES);
  const counted = JSON.parse(String(rows[0]?.changes)) as CountedChanges[];
  const written = new Map(tables.map((name) => [idOf(localName(name)), name]));
  const changes = new Map<string, TableChanges>();
  let rest = Number(rows[0]?.total);
  for (const { table, inserted, updated, deleted, rows: touched } of counted) {
    const sum = inserted + updated + deleted;
    rest -= sum;
    changes.set(written.get(idOf(table)) ?? table, {
      changes: sum,
      rows: { inserted, deleted, touched },
    });
  }
  // Changes of virtual tables.
  changes.set(OTHER_TABLES, { changes: rest });
  if ((await session.query(REPLACES)).rows.length === 0) return changes;
  for (const name of tables)
    changes.set(name, await withReplaced(session, name, changes.get(name)));
  return changes;
}

/** Only the difference of two such numbers is meaningful. */
async function withReplaced(
  session: SqlSession,
  table: string,
  { changes, rows }: TableChanges = { changes: 0 },
): Promise<TableChanges> {
  const { inserted, deleted, touched } = rows ?? { inserted: 0, deleted: 0, touched: 0 };
  const name = `"${localName(table).replaceAll('"', '""')}"`;
  const counted = await session.query(`SELECT count(*) AS n FROM main.${name}`);
  const missing = inserted - deleted - Number(counted.rows[0]?.n);
  return { changes: changes + missing, rows: { inserted, deleted: deleted + missing, touched } };
}
