import { tenantColumnOf, type World } from '../declared-world.ts';
import type { DeclaredTable, GeneratedRequest, Row } from '../generated-case.ts';

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
