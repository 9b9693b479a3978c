// Finds rows of an intent that still exist but belong to another person now: they do not show how the attempt
// ended.
import { byName } from '../../../domain/by-name.ts';
import type { EraseOrder, KeyRow, Keys } from '../../../domain/target/connector.ts';
import type { KeyLayout } from '../../../domain/target/row-layout.ts';
import type { Selected } from '../dialect.ts';
import { fatesOf } from '../erase/missing-rows.ts';
import { isSameLayout } from '../erase/ordered-rows.ts';
import { findChildren } from '../find/find-children.ts';
import type { FindBatch, FindContext } from '../find/find-context.ts';
import { rowId } from '../find/found-rows.ts';
import { referencesTo } from '../find/parent-references.ts';
import { selectKeys, selectReferences, selectTenant } from '../find/row-ways.ts';
import { tenantOf } from '../find/tenants.ts';
import type { PlannedTable } from '../plan/plan.ts';

/**
 * Rows that belong to another person by now. Under another plan this is not known, and an existing row counts as
 * unchanged. So does a row that refers to an unchanged row of the same intent: the two would have been erased
 * together.
 */
export async function findTied(
  context: FindContext,
  order: EraseOrder,
  layout: KeyLayout,
  there: Keys,
): Promise<Keys> {
  const asked = context.plan.erased.filter(({ name }) => there[name] !== undefined);
  const tenants = [tenantOf(context.config.tenancy, order)];
  const batch = { ...context, subjects: [order], tenants, isErasing: false };
  const tied = byName<readonly KeyRow[]>();
  for (const table of asked) {
    const own = Object.hasOwn(layout, table.name) ? layout[table.name] : undefined;
    if (own === undefined || !isSameLayout(table, own)) continue;
    const rows = there[table.name] ?? [];
    const fates = await fatesOf(batch, table, rows);
    tied[table.name] = rows.filter((values) => fates.get(rowId(table, values)) === 'left');
  }
  // Repeated, because a row that is taken out may take rows that refer to it along.
  for (let size = Number.POSITIVE_INFINITY; size > sizeOf(tied); ) {
    size = sizeOf(tied);
    for (const table of asked) {
      const rows = tied[table.name] ?? [];
      if (rows.length === 0) continue;
      const together = await findTogether(batch, table, there, tied);
      tied[table.name] = rows.filter((values) => !together.has(rowId(table, values)));
    }
  }
  return tied;
}

function sizeOf(keys: Keys): number {
  return Object.values(keys).reduce((sum, rows) => sum + rows.length, 0);
}

/** Rows that refer to unchanged rows of the intent. */
async function findTogether(
  batch: FindBatch,
  table: PlannedTable,
  there: Keys,
  tied: Keys,
): Promise<Set<string>> {
  const together = new Set<string>();
  for (const [way, via] of table.vias.entries()) {
    const found = via.entries
      .flatMap((parent) => without(there[parent] ?? [], tied[parent] ?? []))
      .map((values) => ({ values, owners: [0] }));
    const parents = referencesTo(batch.dialect, via, found);
    if (parents.size === 0) continue;
    const search = { table, way, via, parents, tail: '', select: searched(batch, table) };
    for await (const { values } of findChildren(batch, search, () => undefined))
      together.add(rowId(table, values));
  }
  return together;
}

function searched({ dialect }: FindContext, table: PlannedTable): Selected[] {
  return [
    ...selectKeys(dialect, table),
    ...selectReferences(dialect, table),
    ...selectTenant(dialect, table),
  ];
}

export function without(rows: readonly KeyRow[], others: readonly KeyRow[]): KeyRow[] {
  const excluded = new Set(others);
  return rows.filter((values) => !excluded.has(values));
}
