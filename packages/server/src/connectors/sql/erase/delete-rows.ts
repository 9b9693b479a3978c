import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Bind } from '../dialect.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { keyPart } from '../find/found-rows.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { inChunks, runStatement } from '../statement.ts';
import { deleteCircle } from './delete-circle.ts';
import { leavesFirst } from './leaves-first.ts';
import { otherRows } from './other-rows.ts';

export interface Deleted {
  /** How many changes there were besides the deletions. */
  readonly changes: number;
  /** Rows were gone already: a trigger has deleted them, or given them another key. */
  readonly isTriggered: boolean;
}

/** Deletes exactly these rows: whose they are was decided in the same transaction. */
export async function deleteRows(
  context: Pick<FindContext, 'session' | 'dialect'>,
  table: PlannedTable,
  rows: readonly KeyRow[],
  /** The total number of rows, if one of them stands for several equal ones. */
  size = rows.length,
): Promise<Deleted> {
  const { session, dialect } = context;
  // InnoDB even refuses to delete a row that refers to itself.
  if (table.selfKeys.length > 0 && (rows.length > 1 || !dialect.deletesCircles)) {
    let changes = 0;
    let isTriggered = false;
    const deleteLevel = async (level: readonly KeyRow[]) => {
      const deleted = await deleteRows(context, { ...table, selfKeys: [] }, level);
      isTriggered ||= deleted.isTriggered;
    };
    for (const { level, isCircle } of await leavesFirst(context, table, rows)) {
      if (isCircle && !dialect.deletesCircles)
        changes += await deleteCircle(context, table, level, deleteLevel);
      else await deleteLevel(level);
    }
    return { changes, isTriggered };
  }
  const columns = table.columns.slice(0, table.keySize);
  let deleted = 0;
  let isTriggered = false;
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const among = (bind: Bind) => dialect.amongKeys(columns, keys, bind);
    const { changes } = await runStatement(
      session,
      dialect,
      (bind) => `DELETE FROM ${table.sqlName} WHERE ${among(bind)}`,
    );
    deleted += changes;
    if (size !== rows.length || changes === chunk.length) continue;
    // Whether missing rows were deleted shows only where the database counts what triggers change.
    const isGone =
      changes < chunk.length &&
      dialect.changesSoFar !== null &&
      (await countRows(context, table, among)) === 0;
    if (!isGone) throw otherRows(table, 'deleted', chunk.length, changes);
    isTriggered = true;
  }
  if (deleted !== size && !isTriggered) throw otherRows(table, 'deleted', size, deleted);
  return { changes: 0, isTriggered };
}

async function countRows(
  { session, dialect }: Pick<FindContext, 'session' | 'dialect'>,
  table: PlannedTable,
  among: (bind: Bind) => string,
): Promise<number> {
  const select = (bind: Bind) => `SELECT 1 AS n FROM ${table.sqlName} WHERE ${among(bind)}`;
  return (await runStatement(session, dialect, select)).rows.length;
}
