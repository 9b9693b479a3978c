import { type ControllerId, isControllerId } from '../../domain/tenant/controller-id.ts';
import type { TenantStore } from '../../domain/tenant/tenant-ports.ts';
import type { Controller } from '../../domain/tenant/tenants.ts';
import { NotFound } from '../failures.ts';

/** A misspelt controller is a failure, not an empty list. */
export async function findController(tenants: TenantStore, id: string): Promise<Controller> {
  const found = isControllerId(id) ? await tenants.controller(id) : undefined;
  if (found === undefined) throw new NotFound(`there is no controller ${id}`);
  return found;
}

/** For filters: undefined means all controllers. */
export async function controllerOf(
  controller: string | undefined,
  tenants: TenantStore,
): Promise<ControllerId | undefined> {
  return controller === undefined
    ? undefined
    : (await findController(tenants, controller)).controllerId;
}
