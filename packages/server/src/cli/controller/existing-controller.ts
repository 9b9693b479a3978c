import type { TenantStore } from '../../domain/ports.ts';
import { isControllerId } from '../../domain/tenant/controller-id.ts';
import type { Controller } from '../../domain/tenant/tenants.ts';
import { CommandFailure } from '../shared/failure.ts';

/** A misspelt controller is a failure, not an empty list. */
export async function existingController(tenants: TenantStore, id: string): Promise<Controller> {
  const found = isControllerId(id) ? await tenants.controller(id) : undefined;
  if (found === undefined) throw new CommandFailure(`there is no controller ${id}`);
  return found;
}
