// Rows that belong to an order's rows and that its preview did not find: they came in between.
import type { EraseOrder, Held } from '../../domain/connector.ts';
import { type FindContext, findRows } from './find-rows.ts';
import { rowId } from './found-rows.ts';
import { NeedsDecision } from './needs-decision.ts';
import { orderedRows, refuseOtherKeys } from './ordered-rows.ts';
import type { TablesTarget } from './tables-target.ts';

/** Children of the ordered rows, locked; refused where one is not ordered itself. */
export async function guardReferences(
  context: FindContext,
  orders: readonly EraseOrder[],
): Promise<void> {
  for (const table of context.plan.erased) refuseOtherKeys(table, orders);
  const known = orders.map(({ keys }) => keys);
  const suffix = context.dialect.forUpdate;
  const found = await findRows(context, orders, { known, byIdentity: false, suffix });
  for (const table of context.plan.erased) {
    const ordered = orderedRows(table, orders);
    for (const { values } of found.get(table.name)?.values() ?? []) {
      if (!ordered.has(rowId(table, values))) throw more(table.name);
    }
  }
}

export async function findMore(target: TablesTarget, order: EraseOrder): Promise<Held | undefined> {
  try {
    // Without locks: what could not be erased is rolled back, and this only explains why.
    await target.read((context) =>
      guardReferences({ ...context, dialect: { ...context.dialect, forUpdate: '' } }, [order]),
    );
    return undefined;
  } catch (error) {
    if (error instanceof NeedsDecision) return error.toHeld();
    throw error;
  }
}

function more(table: string): NeedsDecision {
  return new NeedsDecision(
    'more_than_previewed',
    `rows of ${table} have come since the preview; preview again`,
  );
}
