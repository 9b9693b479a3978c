import type { ControllerId } from '../tenant/controller-id.ts';

type Values = Readonly<Record<string, string | readonly string[]>>;

/**
 * The values of a controller's rows in the tenant column. Empty if the controller is not listed and its id is a value
 * of a listed one: it would reach that one's rows.
 */
export function tenantValues(values: Values, controllerId: ControllerId): readonly string[] {
  // A controller may be called "constructor".
  if (Object.hasOwn(values, controllerId)) return [values[controllerId] ?? []].flat();
  return allTenantValues(values).includes(controllerId) ? [] : [controllerId];
}

export function allTenantValues(values: Values): readonly string[] {
  return Object.values(values).flat();
}
