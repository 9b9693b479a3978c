// Erases exactly the rows of the orders, in one transaction for the batch.
import type { EraseOrder, Erasure, KeyRow } from '../../../domain/connector.ts';
import { countLoosened } from '../find/count-loosened.ts';
import { type FindContext, sizeFor } from '../find/find-rows.ts';
import { runHalving } from '../halve.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { findUnplanned } from '../plan/find-unplanned.ts';
import type { PlannedTable } from '../plan/plan.ts';
import type { SqlSession } from '../session.ts';
import type { TablesTarget } from '../tables-target.ts';
import { createBelonging } from './belongs.ts';
import { deleteGrouped, groupingVia } from './delete-grouped.ts';
import { deleteRows } from './delete-rows.ts';
import { findMore, guardCascades } from './find-more.ts';
import { readChanges, refuseOtherChanges } from './guard-changes.ts';
import { orderedRows, refuseOtherKeys } from './ordered-rows.ts';
import { overwriteRows } from './overwrite-rows.ts';

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
  const { config, dialect, work, names } = target;
  const [before, { plan, catalogue }] = await Promise.all([
    readChanges(session, dialect, names),
    target.planNow(session),
  ]);
  const unplanned = findUnplanned(work, catalogue);
  if (unplanned !== undefined) throw new NeedsDecision('unplanned_change', unplanned, true);
  const context: FindContext = { session, dialect, config, plan };
  for (const table of plan.erased) refuseOtherKeys(table, orders);
  if (dialect.changesSoFar === null) await guardCascades(context, orders);

  const rowsOf = (table: string, place: number): readonly KeyRow[] =>
    orders[place]?.keys[table] ?? [];
  const counts = await countLoosened(context, orders.length, rowsOf);
  const own = new Map<string, number>();
  const addOwn = (table: string, count: number) => own.set(table, (own.get(table) ?? 0) + count);
  for (const loosened of counts) {
    for (const [table, count] of Object.entries(loosened)) addOwn(table, count);
  }

  const tables = plan.erased
    .map((table) => ({ table, size: sizeOf(table, orders) }))
    .filter(({ size }) => size > 0);
  const isOne = ({ table, size }: (typeof tables)[number]): boolean =>
    dialect.deleteReturns &&
    table.action.kind === 'delete' &&
    size <= sizeFor(dialect, table.keySize);
  const eraseTable = async (given: (typeof tables)[number]): Promise<void> => {
    const { table } = given;
    const via = dialect.pack !== null && isOne(given) ? groupingVia(plan, table) : undefined;
    const changed =
      via === undefined
        ? await eraseOneByOne(table)
        : await deleteGrouped(context, table, via, orders);
    changed.forEach((count, place) => {
      const ownCounts = counts[place];
      if (count > 0 && ownCounts !== undefined) ownCounts[table.name] = count;
      addOwn(table.name, count);
    });
  };

  function eraseOneByOne(table: PlannedTable): Promise<number[]> {
    const ordered = orderedRows(table, orders);
    const belonging = createBelonging(dialect, config, plan, table);
    return table.action.kind === 'delete'
      ? deleteRows(context, table, ordered, orders, belonging)
      : overwriteRows(context, table, ordered, orders, belonging, target.hash);
  }

  // Statements go out in the order of the tables, and need not wait for our look at the answers, where
  // each table is one statement: what we would have refused is rolled back all the same.
  const isOneEach = tables.every(isOne);
  const erasing = isOneEach ? tables.map(eraseTable) : [];
  if (!isOneEach) for (const table of tables) await eraseTable(table);
  const [after] = await Promise.all([readChanges(session, dialect, names), ...erasing]);
  refuseOtherChanges({ work, plan, catalogue }, before, after, own);
  return counts.map((ownCounts) => ({ outcome: 'erased', counts: ownCounts }));
}

function sizeOf(table: PlannedTable, orders: readonly EraseOrder[]): number {
  return orders.reduce((sum, { keys }) => sum + (keys[table.name]?.length ?? 0), 0);
}
