import type { KeyRow } from '../../../domain/connector.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { inChunks, runStatement } from '../statement.ts';
import { leavesFirst } from './leaves-first.ts';
import { keyPart } from './ordered-rows.ts';

/** Deletes exactly these rows: whose they are was decided in the same transaction. */
export async function deleteRows(
  context: FindContext,
  table: PlannedTable,
  rows: readonly KeyRow[],
): Promise<void> {
  const { session, dialect } = context;
  if (table.selfKeys.length > 0 && rows.length > 1) {
    for (const level of await leavesFirst({ session, dialect }, table, rows))
      await deleteRows(context, { ...table, selfKeys: [] }, level);
    return;
  }
  const columns = table.columns.slice(0, table.keySize);
  for (const chunk of inChunks(rows, sizeFor(dialect, table.keySize))) {
    const keys = chunk.map((values) => keyPart(table, values));
    const { changes } = await runStatement(
      session,
      dialect,
      (bind) => `DELETE FROM ${table.sqlName} WHERE ${dialect.amongKeys(columns, keys, bind)}`,
    );
    if (changes !== chunk.length) throw otherRows(table);
  }
}

/** What a statement changed is not what was decided about: it is rolled back. */
export function otherRows(table: PlannedTable): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `the key of ${table.name} names other rows than were decided about: the database does not tell its values apart exactly, or a rule or trigger changes them; choose other "key" columns, then release`,
  );
}
