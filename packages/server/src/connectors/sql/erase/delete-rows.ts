import type { KeyRow } from '../../../domain/connector.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { inChunks, runStatement } from '../statement.ts';
import { leavesFirst } from './leaves-first.ts';
import { openCircle } from './open-circle.ts';
import { keyPart } from './ordered-rows.ts';

/**
 * Deletes exactly these rows: whose they are was decided in the same transaction. Answers how many changes
 * there were beside the deletions.
 */
export async function deleteRows(
  context: Pick<FindContext, 'session' | 'dialect'>,
  table: PlannedTable,
  rows: readonly KeyRow[],
  /** How many there are in all, where one may stand for several. */
  size = rows.length,
): Promise<number> {
  const { session, dialect } = context;
  // InnoDB does not even let a row go that refers to itself.
  if (table.selfKeys.length > 0 && (rows.length > 1 || !dialect.deletesCircles)) {
    let changes = 0;
    for (const { level, isCircle } of await leavesFirst(context, table, rows)) {
      if (isCircle && !dialect.deletesCircles) changes += await openCircle(context, table, level);
      await deleteRows(context, { ...table, selfKeys: [] }, level);
    }
    return changes;
  }
  const columns = table.columns.slice(0, table.keySize);
  let deleted = 0;
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const { changes } = await runStatement(
      session,
      dialect,
      (bind) => `DELETE FROM ${table.sqlName} WHERE ${dialect.amongKeys(columns, keys, bind)}`,
    );
    if (size === rows.length && changes !== chunk.length)
      throw otherRows(table, 'deleted', chunk.length, changes);
    deleted += changes;
  }
  if (deleted !== size) throw otherRows(table, 'deleted', size, deleted);
  return 0;
}

/** What a statement changed is not what was decided about: it is rolled back. */
export function otherRows(
  { name }: Pick<PlannedTable, 'name'>,
  done: 'deleted' | 'overwritten' | 'detached',
  expected: number,
  seen: number,
): NeedsDecision {
  const why =
    seen < expected
      ? `a trigger or rule on ${name} keeps rows from being ${done}, as one does that only marks them; overwrite the columns that hold the person's data instead (action: { overwrite: … }), or take the trigger away`
      : `the database does not tell the values of its key apart exactly; choose other "key" columns`;
  return new NeedsDecision(
    'unplanned_change',
    `${expected} rows of ${name} were to be ${done}, and the database says that ${seen} were, so everything was taken back: ${why}, then release`,
  );
}
