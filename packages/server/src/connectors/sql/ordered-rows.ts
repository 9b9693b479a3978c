// The rows of one table that the orders of a batch name, each once, for the first that names it.
import type { EraseOrder, KeyRow } from '../../domain/connector.ts';
import { referenceText, rowId } from './found-rows.ts';
import { NeedsDecision } from './needs-decision.ts';
import type { PlannedTable } from './plan.ts';

export interface OrderedRow {
  readonly values: KeyRow;
  /** Of the order in its batch. */
  readonly place: number;
}

export function orderedRows(
  table: PlannedTable,
  orders: readonly EraseOrder[],
): Map<string, OrderedRow> {
  const rows = new Map<string, OrderedRow>();
  orders.forEach((order, place) => {
    for (const values of order.keys[table.name] ?? []) {
      if (
        values.length !== table.columns.length ||
        referenceText(keyPart(table, values)) === undefined
      )
        throw new NeedsDecision(
          'unplanned_change',
          `the key of ${table.name}, or what refers to it, is not what it was at the preview; preview again`,
        );
      const id = rowId(table, values);
      if (!rows.has(id)) rows.set(id, { values, place });
    }
  });
  return rows;
}

export function keyPart(table: PlannedTable, values: KeyRow): KeyRow {
  return values.length === table.keySize ? values : values.slice(0, table.keySize);
}
