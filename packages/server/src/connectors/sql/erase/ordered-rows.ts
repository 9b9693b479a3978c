// The rows of one table that the orders of a batch name, each once, for the first that names it.
import type { EraseOrder, KeyRow } from '../../../domain/connector.ts';
import { rowId } from '../find/found-rows.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';

export interface OrderedRow {
  readonly values: KeyRow;
  /** Of the order in its batch. */
  readonly place: number;
}

/** Keys are lists without names, so they must come from the same plan. */
export function refuseOtherKeys(table: PlannedTable, orders: readonly EraseOrder[]): void {
  const width = table.columns.length;
  for (const { keys } of orders) {
    if (keys[table.name]?.every((values) => values.length === width) === false)
      throw new NeedsDecision(
        'unplanned_change',
        `the key of ${table.name}, or what refers to it, is not what it was at the preview; preview again`,
      );
  }
}

export function orderedRows(
  table: PlannedTable,
  orders: readonly EraseOrder[],
): Map<string, OrderedRow> {
  refuseOtherKeys(table, orders);
  const rows = new Map<string, OrderedRow>();
  orders.forEach((order, place) => {
    for (const values of order.keys[table.name] ?? []) {
      const id = rowId(table, values);
      if (!rows.has(id)) rows.set(id, { values, place });
    }
  });
  return rows;
}

export function keyPart(table: PlannedTable, values: KeyRow): KeyRow {
  return values.length === table.keySize ? values : values.slice(0, table.keySize);
}
