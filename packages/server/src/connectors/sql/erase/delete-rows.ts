import type { KeyRow } from '../../../domain/target/connector.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { inChunks, runStatement } from '../statement.ts';
import { deleteCircle } from './delete-circle.ts';
import { leavesFirst } from './leaves-first.ts';
import { keyPart } from './ordered-rows.ts';
import { otherRows } from './other-rows.ts';

/**
 * Deletes exactly these rows: whose they are was decided in the same transaction. Returns how many changes
 * there were besides the deletions.
 */
export async function deleteRows(
  context: Pick<FindContext, 'session' | 'dialect'>,
  table: PlannedTable,
  rows: readonly KeyRow[],
  /** The total number of rows, if one of them stands for several equal ones. */
  size = rows.length,
): Promise<number> {
  const { session, dialect } = context;
  // InnoDB even refuses to delete a row that refers to itself.
  if (table.selfKeys.length > 0 && (rows.length > 1 || !dialect.deletesCircles)) {
    let changes = 0;
    const deleteLevel = (level: readonly KeyRow[]) =>
      deleteRows(context, { ...table, selfKeys: [] }, level);
    for (const { level, isCircle } of await leavesFirst(context, table, rows)) {
      if (isCircle && !dialect.deletesCircles)
        changes += await deleteCircle(context, table, level, deleteLevel);
      else await deleteLevel(level);
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
