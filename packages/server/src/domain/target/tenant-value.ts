import type { ControllerId } from '../tenant/controller-id.ts';

/**
 * The value of a controller's rows in the tenant column. Undefined if the controller is not listed and its id
 * is the value of a listed one: it would reach that one's rows.
 */
export function tenantValue(
  values: Readonly<Record<string, string>>,
  controllerId: ControllerId,
): string | undefined {
  // A controller may be called "constructor".
  if (Object.hasOwn(values, controllerId)) return values[controllerId];
  return Object.values(values).includes(controllerId) ? undefined : controllerId;
}
