import type { ControllerId } from '../tenant/controller-id.ts';

/**
 * What a controller's rows carry in the tenant column. Undefined where that would be another's rows:
 * the controller is not listed, and its id is the value of one that is.
 */
export function tenantValue(
  values: Readonly<Record<string, string>>,
  controllerId: ControllerId,
): string | undefined {
  // A controller may be called "constructor".
  if (Object.hasOwn(values, controllerId)) return values[controllerId];
  return Object.values(values).includes(controllerId) ? undefined : controllerId;
}
