// Checks that tenants by reference end somewhere: at a table that may have the tenant column.
import { isObject } from '../../../domain/is-object.ts';
import type { LeadConfig, TableConfig } from '../../../domain/target/target.ts';
import type { Fields } from '../fields.ts';

type Placed = LeadConfig & { readonly place: string; readonly isLead: boolean };

export function checkTenants(
  tables: readonly TableConfig[],
  leads: readonly LeadConfig[],
  {
    places,
    leadPlaces,
  }: { readonly places: readonly string[]; readonly leadPlaces: readonly string[] },
  target: Fields,
): void {
  const { problems } = target;
  const all: Placed[] = [
    ...tables.map((one, i) => ({ ...one, place: places[i] ?? '', isLead: false })),
    ...leads.map((one, i) => ({ ...one, place: leadPlaces[i] ?? '', isLead: true })),
  ];
  const meant = new Set(all.flatMap(({ tenant = [] }) => tenant.map(({ parent }) => parent)));
  const { resolve } = target.values;
  if (isObject(resolve) && typeof resolve.table === 'string') meant.add(resolve.table);
  for (const { table, tenant, place, isLead } of all) {
    if (isLead && !meant.has(table))
      problems.add(
        place,
        'is only read (action: lead), and neither a "tenant" nor "resolve" names it; name it there, or leave it out',
      );
    if (isLead && all.some((other) => other.place !== place && other.table === table))
      problems.add(
        place,
        'is in the list already; "tenant" may name it there too, so leave out the entry with action: lead',
      );
    if (tenant === undefined) continue;
    if (!target.has('tenant_column')) {
      problems.add(`${place}.tenant`, 'is only for a target with tenant_column; leave it out');
      continue;
    }
    for (const { parent } of tenant)
      if (!all.some((one) => one.table === parent))
        problems.add(
          `${place}.tenant.${parent}`,
          'is not a table of this target; list it: with action: lead, if it is only read for this',
        );
    const circle = circleFrom(table, all);
    if (circle !== undefined)
      problems.add(
        `${place}.tenant`,
        `goes in a circle (${circle.join(' -> ')}), so it never comes to a tenant; leave one of them out, or name a view that knows the tenant`,
      );
  }
}

/** The way from a table back to itself. */
function circleFrom(start: string, all: readonly LeadConfig[]): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    const own = all.filter(({ table }) => table === way.at(-1));
    for (const { parent } of own.flatMap(({ tenant = [] }) => tenant)) {
      if (parent === start) return [...way, start];
      if (seen.has(parent)) continue;
      seen.add(parent);
      ways.push([...way, parent]);
    }
  }
  return undefined;
}
