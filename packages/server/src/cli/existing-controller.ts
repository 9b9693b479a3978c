import { isControllerId } from '../domain/controller-id.ts';
import type { TenantStore } from '../domain/ports.ts';
import type { Controller } from '../domain/tenants.ts';
import { CommandFailure } from './failure.ts';

/** A misspelt controller is a failure, not an empty list. */
export async function existingController(tenants: TenantStore, id: string): Promise<Controller> {
  const found = isControllerId(id) ? await tenants.controller(id) : undefined;
  if (found === undefined) throw new CommandFailure(`there is no controller ${id}`);
  return found;
}
