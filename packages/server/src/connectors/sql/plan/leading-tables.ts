// Entries whose rows decide who owns other rows.
import type { Plan, PlannedTable } from './plan.ts';
import { tellsTenant } from './tenant-column.ts';

/**
 * The names of entries from which a reference leads, through any number of tables, to rows that are erased.
 */
export function leadingEntries({ tables }: Pick<Plan, 'tables'>): ReadonlySet<string> {
  const leading = new Set<string>();
  // Parents come first in the plan, but a cascade may still lead back.
  let size = -1;
  while (size < leading.size) {
    size = leading.size;
    for (const { name, action, vias } of tables.toReversed())
      if (action.kind !== 'retain' || leading.has(name))
        for (const { entries } of vias) for (const entry of entries) leading.add(entry);
  }
  return leading;
}

/**
 * Tables with rows that decide about others and may stay unchanged: retained ones, and those that determine
 * the tenant of a row that also belongs to another person.
 */
export function decidingTables(plan: Plan): ReadonlySet<string> {
  const leading = leadingEntries(plan);
  const deciding = new Set(
    plan.tables
      .filter(({ name, action }) => action.kind === 'retain' && leading.has(name))
      .map(({ table }) => table),
  );
  for (const { tenantBy } of [...plan.tables, ...plan.leads])
    for (const { parent } of tenantBy) deciding.add(parent);
  if (!plan.tables.some(tellsTenant)) return deciding;
  const climb = ({ vias }: Pick<PlannedTable, 'vias'>): void => {
    for (const { parent, entries } of vias) {
      if (deciding.has(parent)) continue;
      deciding.add(parent);
      for (const entry of plan.tables)
        if (!tellsTenant(entry) && entries.includes(entry.name)) climb(entry);
    }
  };
  for (const table of plan.tables)
    if (table.hasSeveralOwners && table.shared === 'erase' && table.action.kind !== 'retain')
      climb(table);
  for (const { table, detachedBy } of plan.references)
    if (detachedBy !== null && !tellsTenant(table)) climb(table);
  return deciding;
}
