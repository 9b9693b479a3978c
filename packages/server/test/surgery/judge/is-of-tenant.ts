import { type Snapshot, tenantColumnOf, typeOf, type World } from '../declared-world.ts';
import type { DeclaredTable, GeneratedRequest, Row } from '../generated-case.ts';
import { foldValue } from './compare-values.ts';

/** Its own column says so, or it has none. */
export function isOfTenant(
  world: World,
  declared: Pick<DeclaredTable, 'table'>,
  row: Row,
  request: GeneratedRequest,
): boolean {
  const { tenancy } = world.configuration;
  const column = tenantColumnOf(world, declared.table);
  if (tenancy.way !== 'column' || column === undefined) return true;
  return row[column] === (tenancy.values[request.controllerId] ?? request.controllerId);
}

/** The database takes its tenant for the request's, and it is neither spelt like that nor another controller's. */
export function isSpeltTenant(
  world: World,
  declared: Pick<DeclaredTable, 'table'>,
  row: Row,
  request: GeneratedRequest,
): boolean {
  const { tenancy } = world.configuration;
  const column = tenantColumnOf(world, declared.table);
  if (tenancy.way !== 'column' || column === undefined) return false;
  const value = row[column] ?? null;
  if (value === null || Object.values(tenancy.values).includes(value)) return false;
  const own = tenancy.values[request.controllerId] ?? request.controllerId;
  const fold = (text: string) =>
    foldValue(world.database, typeOf(world, declared.table, column), text);
  return value !== own && fold(value) === fold(own);
}

/** Some row of the plan's tables has the tenant of the request, or nothing tells tenants apart. */
export function isTenantThere(world: World, rows: Snapshot, request: GeneratedRequest): boolean {
  const { tables, tenancy } = world.configuration;
  const told = tables.filter(({ table }) => tenantColumnOf(world, table) !== undefined);
  if (tenancy.way !== 'column' || told.length === 0) return true;
  return told.some((declared) =>
    [...(rows.get(declared.table)?.values() ?? [])].some((row) =>
      isOfTenant(world, declared, row, request),
    ),
  );
}
