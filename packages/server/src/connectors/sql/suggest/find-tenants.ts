// How a draft knows the tenant of a table's rows: by a column, or by the row to which they refer.
import type { Catalogue } from '../catalogue.ts';
import { isPeopleTable } from '../personal/table-signs.ts';
import { type FoundReference, isPlainReference } from './find-references.ts';
import { tenantTables } from './find-starts.ts';
import { isTenantName, type TenantColumn } from './find-tenant-column.ts';

/** `column`: its own; `reference`: to the row that has it. */
export type TenantOfTable = { readonly column: string } | { readonly reference: FoundReference };

const MAX_STEPS = 3;

export function findTenants(
  catalogue: Catalogue,
  references: readonly FoundReference[],
  tenant: TenantColumn | undefined,
): ReadonlyMap<string, TenantOfTable> {
  const known = new Map<string, TenantOfTable>();
  if (tenant === undefined) return known;
  for (const { table, columns } of catalogue.values())
    if (columns.has(tenant.column)) known.set(table, { column: tenant.column });
  // users.organizationId refers to the same teams as the teamId of other tables.
  const tenants = tenantTables(references, tenant);
  for (const { table, parent, columns } of references) {
    const [column = '', ...more] = Object.keys(columns);
    const isOther = more.length === 0 && isTenantName(column) && tenants.includes(parent);
    if (isOther && !known.has(table) && table !== parent) known.set(table, { column });
  }
  const isDeclared = references.some(({ foreignKey }) => foreignKey !== null);
  const usable = references.filter(
    (it) =>
      it.table !== it.parent &&
      !isPeopleTable(it.parent) &&
      !tenants.includes(it.parent) &&
      (it.foreignKey !== null || (!isDeclared && isPlainReference(it))),
  );
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = usable
      .filter(({ table, parent }) => !known.has(table) && known.has(parent))
      .toSorted((a, b) => Number(mayBeNull(a, catalogue)) - Number(mayBeNull(b, catalogue)));
    const before = new Set(known.keys());
    for (const reference of next)
      if (!known.has(reference.table) && before.has(reference.parent))
        known.set(reference.table, { reference });
  }
  return known;
}

function mayBeNull({ table, columns }: FoundReference, catalogue: Catalogue): boolean {
  const shape = catalogue.get(table);
  return Object.keys(columns).some((name) => shape?.columns.get(name)?.isNullable !== false);
}
