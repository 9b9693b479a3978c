import type { ControllerId } from '../domain/controller-id.ts';
import type { RequestCatalogue, TenantStore } from '../domain/ports.ts';
import type { RequestSummary } from '../domain/request.ts';
import { existingController } from './existing-controller.ts';
import { CommandFailure } from './failure.ts';

interface Stores {
  readonly tenants: TenantStore;
  readonly catalogue: RequestCatalogue;
}

export function controllerOf(
  controller: string | undefined,
  tenants: TenantStore,
): ControllerId | undefined {
  return controller === undefined
    ? undefined
    : existingController(tenants, controller).controllerId;
}

/** Ids are unique per controller: one that several use needs --controller. */
export function findRequest(
  { tenants, catalogue }: Stores,
  id: string,
  controller: string | undefined,
): RequestSummary {
  const found = catalogue.find(id, controllerOf(controller, tenants));
  const [request, another] = found;
  if (request === undefined) throw new CommandFailure(`there is no request ${id}`);
  if (another !== undefined) {
    const names = found.map(({ controllerId }) => controllerId).join(', ');
    throw new CommandFailure(`several controllers use this id (${names}); add --controller`);
  }
  return request;
}
