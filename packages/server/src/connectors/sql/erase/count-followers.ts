// Rows that foreign keys will change along with rows that are overwritten: counted right before, so that no
// other change is taken for theirs.
import type { KeyRow } from '../../../domain/connector.ts';
import type { Bind } from '../dialect.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import type { Follower, PlannedTable } from '../plan/plan.ts';
import { inChunks, runStatement } from '../statement.ts';

/** By table. `changed`: the keys of the rows in which one of these columns gets another value. */
export async function countFollowers(
  { session, dialect }: Pick<FindContext, 'session' | 'dialect'>,
  table: PlannedTable,
  changed: (columns: readonly string[]) => readonly KeyRow[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const keyColumns = table.columns.slice(0, table.keySize);
  const list = (names: readonly string[]) => names.map(dialect.quote).join(', ');
  const refers = ({ columns, referenced }: Follower, parent: string, where: string) => {
    const own = columns.length === 1 ? list(columns) : `(${list(columns)})`;
    return `${own} IN (SELECT ${list(referenced)} FROM ${parent} WHERE ${where})`;
  };

  async function count(
    follower: Follower,
    parent: string,
    where: (bind: Bind) => string,
  ): Promise<void> {
    const own = (bind: Bind) => refers(follower, parent, where(bind));
    const { rows } = await runStatement(
      session,
      dialect,
      (bind) => `SELECT COUNT(*) AS n FROM ${follower.sqlName} WHERE ${own(bind)}`,
    );
    counts.set(follower.table, (counts.get(follower.table) ?? 0) + Number(rows[0]?.n));
    for (const further of follower.followers) await count(further, follower.sqlName, own);
  }

  for (const follower of table.followers) {
    const rows = changed(follower.referenced);
    for (const keys of inChunks(rows, sizeFor(dialect, table.keySize)))
      await count(follower, table.sqlName, (bind) => dialect.amongKeys(keyColumns, keys, bind));
  }
  return counts;
}
