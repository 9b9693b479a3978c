// Erases exactly the rows of the orders, in one transaction for the batch.
import type { EraseOrder, Erasure, KeyRow } from '../../domain/connector.ts';
import { createBelonging } from './belongs.ts';
import { countLoosened } from './count-loosened.ts';
import { deleteRows } from './delete-rows.ts';
import { findMore, guardReferences } from './find-more.ts';
import type { FindContext } from './find-rows.ts';
import { findUnplanned } from './find-unplanned.ts';
import { startChangeGuard } from './guard-changes.ts';
import { runHalving } from './halve.ts';
import { NeedsDecision } from './needs-decision.ts';
import { orderedRows } from './ordered-rows.ts';
import { overwriteRows } from './overwrite-rows.ts';
import type { SqlSession } from './session.ts';
import type { TablesTarget } from './tables-target.ts';

export function eraseRows(target: TablesTarget, orders: readonly EraseOrder[]): Promise<Erasure[]> {
  const run = (batch: readonly EraseOrder[]) =>
    target.database.transaction('write', (session) => eraseBatch(target, session, batch));
  return runHalving(orders, run, async (order, failure) =>
    // A reference that stands in the way may be a row that came after the preview.
    failure.kind === 'data' ? await findMore(target, order) : undefined,
  );
}

async function eraseBatch(
  target: TablesTarget,
  session: SqlSession,
  orders: readonly EraseOrder[],
): Promise<Erasure[]> {
  const { config, dialect, work } = target;
  const { plan, catalogue } = await target.planNow(session);
  const unplanned = findUnplanned(work, catalogue);
  if (unplanned !== undefined) throw new NeedsDecision('unplanned_change', unplanned, true);
  const context: FindContext = { session, dialect, config, plan };
  const guard = await startChangeGuard(context, work, async () => catalogue);
  // A database that does not tell what cascades did is asked for children first, under lock.
  if (dialect.changesSoFar === null) await guardReferences(context, orders);

  const rowsOf = (table: string, place: number): readonly KeyRow[] =>
    orders[place]?.keys[table] ?? [];
  const counts = await countLoosened(context, orders.length, rowsOf);
  const own = new Map<string, number>();
  const addOwn = (table: string, count: number) => own.set(table, (own.get(table) ?? 0) + count);
  for (const loosened of counts) {
    for (const [table, count] of Object.entries(loosened)) addOwn(table, count);
  }

  for (const table of plan.erased) {
    const ordered = orderedRows(table, orders);
    if (ordered.size === 0) continue;
    const belonging = createBelonging(dialect, config, plan, table);
    const changed =
      table.action.kind === 'delete'
        ? await deleteRows(context, table, ordered, orders, belonging)
        : await overwriteRows(context, table, ordered, orders, belonging, target.hash);
    changed.forEach((count, place) => {
      const ownCounts = counts[place];
      if (count > 0 && ownCounts !== undefined) ownCounts[table.name] = count;
      addOwn(table.name, count);
    });
  }
  await guard.check(own);
  return counts.map((ownCounts) => ({ outcome: 'erased', counts: ownCounts }));
}
