import {
  type Snapshot,
  tellsTenant,
  tenantByOf,
  tenantColumnOf,
  typeOf,
  type World,
} from '../declared-world.ts';
import type { DeclaredTable, GeneratedRequest, Row, Via } from '../generated-case.ts';
import { comparePairs, hasForeignKey } from './compare-pairs.ts';
import { foldValue } from './compare-values.ts';

type Named = Pick<DeclaredTable, 'table'>;

/** All that it may be of, spelt as the rows have it; null: of nobody. Undefined: it tells none. */
function tenantsOf(
  world: World,
  rows: Snapshot,
  { table }: Named,
  row: Row,
): ReadonlySet<string | null> | undefined {
  if (world.configuration.tenancy.way !== 'column' || !tellsTenant(world, table)) return undefined;
  const column = tenantColumnOf(world, table);
  const value = column === undefined ? null : (row[column] ?? null);
  if (value !== null) return new Set([value]);
  const referred = tenantByOf(world, table).flatMap((via) => {
    if (via.pairs.some(({ child }) => (row[child] ?? null) === null)) return [];
    const above = referredTo(world, rows, table, row, via);
    if (above.length === 0) return [null];
    return above.flatMap((one) => [...(tenantsOf(world, rows, { table: via.parent }, one) ?? [])]);
  });
  return new Set(referred.length === 0 ? [null] : referred);
}

function referredTo(world: World, rows: Snapshot, table: string, row: Row, via: Via): Row[] {
  return [...(rows.get(via.parent)?.values() ?? [])].filter((above) => {
    const compared = comparePairs(world, table, row, via.parent, above, via.pairs);
    return compared === 'yes' || (compared === 'spelt' && hasForeignKey(world, table, via));
  });
}

/** What it refers to for its tenant is written differently there: to hold is no mistake. */
export function isReferenceSpelt(
  world: World,
  rows: Snapshot,
  { table }: Named,
  row: Row,
): boolean {
  return tenantByOf(world, table).some((via) =>
    [...(rows.get(via.parent)?.values() ?? [])].some((above) => {
      const compared = comparePairs(world, table, row, via.parent, above, via.pairs);
      if (compared === 'no') return false;
      return compared !== 'yes' || isReferenceSpelt(world, rows, { table: via.parent }, above);
    }),
  );
}

function ownOf({ configuration: { tenancy } }: World, { controllerId }: GeneratedRequest) {
  const own = tenancy.way === 'column' ? tenancy.values[controllerId] : undefined;
  return [own ?? controllerId].flat();
}

const isOneOf = (own: readonly string[], tenant: string | null | undefined) =>
  typeof tenant === 'string' && own.includes(tenant);

/** Its own column says so, or what it refers to, or it has none. */
export function isOfTenant(
  world: World,
  rows: Snapshot,
  declared: Named,
  row: Row,
  request: GeneratedRequest,
): boolean {
  const tenants = tenantsOf(world, rows, declared, row);
  const own = ownOf(world, request);
  return tenants === undefined || [...tenants].every((tenant) => isOneOf(own, tenant));
}

/** It is also of another tenant, or some of what it refers to is of none. */
export function isOfSeveral(
  world: World,
  rows: Snapshot,
  declared: Named,
  row: Row,
  request: GeneratedRequest,
): boolean {
  const tenants = tenantsOf(world, rows, declared, row);
  const own = ownOf(world, request);
  const mine = [...(tenants ?? [])].filter((tenant) => isOneOf(own, tenant));
  return tenants !== undefined && mine.length > 0 && mine.length < tenants.size;
}

export function isOfNobody(world: World, rows: Snapshot, declared: Named, row: Row): boolean {
  const tenants = tenantsOf(world, rows, declared, row);
  return tenants !== undefined && [...tenants].every((tenant) => tenant === null);
}

/** The same, and both are known. */
export function haveOneTenant(
  world: World,
  rows: Snapshot,
  [a, mine]: readonly [Named, Row],
  [b, theirs]: readonly [Named, Row],
): boolean {
  const [one, other] = [tenantsOf(world, rows, a, mine), tenantsOf(world, rows, b, theirs)];
  if (one === undefined || other === undefined) return true;
  return [...one].some((tenant) => tenant !== null && other.has(tenant));
}

/** The database takes its tenant for the request's, and it is neither spelt like that nor another controller's. */
export function isSpeltTenant(
  world: World,
  rows: Snapshot,
  declared: Named,
  row: Row,
  request: GeneratedRequest,
): boolean {
  const { tenancy } = world.configuration;
  if (tenancy.way !== 'column') return false;
  const own = ownOf(world, request);
  const known = [...Object.values(tenancy.values).flat(), ...own];
  const column = world.tables
    .flatMap(({ name }) => [name])
    .find((name) => tenantColumnOf(world, name) !== undefined);
  if (column === undefined) return false;
  const type = typeOf(world, column, tenantColumnOf(world, column) ?? '');
  const fold = (text: string) => foldValue(world.database, type, text);
  return [...(tenantsOf(world, rows, declared, row) ?? [])].some(
    (tenant) =>
      tenant !== null && !known.includes(tenant) && own.some((one) => fold(tenant) === fold(one)),
  );
}

/** Some row of the plan's tables has the tenant of the request, or nothing tells tenants apart. */
export function isTenantThere(world: World, rows: Snapshot, request: GeneratedRequest): boolean {
  const { tables, leads, tenancy } = world.configuration;
  const told = [...tables, ...leads].filter(
    ({ table }) => tenantColumnOf(world, table) !== undefined,
  );
  if (tenancy.way !== 'column' || told.length === 0) return true;
  return ownOf(world, request).every((own) =>
    told.some(({ table }) =>
      [...(rows.get(table)?.values() ?? [])].some(
        (row) => row[tenantColumnOf(world, table) ?? ''] === own,
      ),
    ),
  );
}
