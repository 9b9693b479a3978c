// Counts the rows that foreign keys will change along with overwritten or detached rows, right before it
// happens, so that no other change is mistaken for theirs.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Bind } from '../dialect.ts';
import type { ReleasedReferences } from '../find/decide-references.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { amongParts, amongReferences } from '../find/reference-keys.ts';
import type { Follower, PlannedTable } from '../plan/plan.ts';
import { inChunks, runStatement } from '../statement.ts';

type Context = Pick<FindContext, 'session' | 'dialect'>;

/** Counts by table. `changed`: the keys of the rows in which one of these columns gets another value. */
export async function countFollowers(
  context: Context,
  table: PlannedTable,
  changed: (columns: readonly string[]) => readonly KeyRow[],
): Promise<Map<string, number>> {
  const { dialect } = context;
  const keyColumns = table.columns.slice(0, table.keySize);
  return countEach(context, table.sqlName, table.followers, ({ referenced }) =>
    [...inChunks(changed(referenced), sizeFor(dialect, table.keySize))].map(
      (keys) => (bind) => dialect.amongKeys(keyColumns, keys, bind),
    ),
  );
}

/** The same for rows whose references become NULL. */
export async function countFollowersOfReleased(
  context: Context,
  { foreign, references }: ReleasedReferences,
): Promise<Map<string, number>> {
  const { dialect } = context;
  const via = { ...foreign, uniqueness: 'alone', isReverse: false, isForeignKey: true } as const;
  const values = references.map(({ reference }) => reference);
  return countEach(context, foreign.table.sqlName, foreign.followers, () =>
    [...inChunks(values, sizeFor(dialect, foreign.columns.length))].map(
      (chunk) => (bind) =>
        `${amongParts(foreign.rowsIn)}${amongReferences(dialect, via, chunk, bind)}`,
    ),
  );
}

type Where = (bind: Bind) => string;

/** `changing`: conditions for the changed rows of the table that a follower refers to. */
async function countEach(
  { session, dialect }: Context,
  table: string,
  followers: readonly Follower[],
  changing: (follower: Follower) => readonly Where[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const list = (names: readonly string[]) => names.map(dialect.quote).join(', ');
  const refers = ({ columns, referenced, rowsIn }: Follower, parent: string, where: string) => {
    const own = columns.length === 1 ? list(columns) : `(${list(columns)})`;
    return `${amongParts(rowsIn)}${own} IN (SELECT ${list(referenced)} FROM ${parent} WHERE ${where})`;
  };

  async function count(follower: Follower, parent: string, where: Where): Promise<void> {
    const own = (bind: Bind) => refers(follower, parent, where(bind));
    const { rows } = await runStatement(
      session,
      dialect,
      (bind) => `SELECT COUNT(*) AS n FROM ${follower.sqlName} WHERE ${own(bind)}`,
    );
    counts.set(follower.table, (counts.get(follower.table) ?? 0) + Number(rows[0]?.n));
    for (const further of follower.followers) await count(further, follower.sqlName, own);
  }

  for (const follower of followers)
    for (const where of changing(follower)) await count(follower, table, where);
  return counts;
}
