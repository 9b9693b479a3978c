// Whether the keys of an order are values of the columns of today's plan.
import type { EraseOrder } from '../../../domain/target/connector.ts';
import { isInSameSchema, type KeyLayout } from '../../../domain/target/row-layout.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { writtenWhere } from '../plan/where-values.ts';

/**
 * Keys are lists of values, and their layout says which columns these are. An order without a layout is one of the present
 * plan if the number of values fits.
 */
export function fitsLayout(tables: readonly PlannedTable[], order: EraseOrder): boolean {
  return Object.entries(order.keys).every(([name, rows]) => {
    if (rows.length === 0) return true;
    const table = tables.find((planned) => planned.name === name);
    if (table === undefined) return false;
    const layout = Object.hasOwn(order.layout ?? {}, name) ? order.layout?.[name] : undefined;
    return layout === undefined
      ? order.layout === undefined && rows.every(({ length }) => length === table.columns.length)
      : isSameLayout(table, layout);
  });
}

const known = new WeakMap<PlannedTable, WeakMap<KeyLayout[string], boolean>>();

/** Called for each order; the orders of a batch have one layout and one plan. */
export function isSameLayout(table: PlannedTable, layout: KeyLayout[string]): boolean {
  const answers = known.get(table) ?? new WeakMap<KeyLayout[string], boolean>();
  known.set(table, answers);
  const answer = answers.get(layout) ?? compareLayouts(table, layout);
  answers.set(layout, answer);
  return answer;
}

function compareLayouts(table: PlannedTable, layout: KeyLayout[string]): boolean {
  return (
    (layout.table ?? table.name) === table.table &&
    isInSameSchema(layout, table) &&
    JSON.stringify(layout.where ?? {}) === JSON.stringify(writtenWhere(table.where)) &&
    layout.keySize === table.keySize &&
    layout.columns.length === table.columns.length &&
    layout.columns.every((name, place) => name === table.columns[place]?.name)
  );
}
