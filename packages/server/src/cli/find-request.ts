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
  stores: Stores,
  id: string,
  controller: string | undefined,
): RequestSummary {
  const found = findRequests(stores, id, controller);
  if (found.length > 1) {
    const names = found.map(({ controllerId }) => controllerId).join(', ');
    throw new CommandFailure(`several controllers use this id (${names}); add --controller`);
  }
  return found[0];
}

/** For filters: a misspelt request is a failure, not an empty list. */
export function requireRequest(
  stores: Stores,
  id: string | undefined,
  controller: string | undefined,
): void {
  if (id !== undefined) findRequests(stores, id, controller);
}

function findRequests(
  { tenants, catalogue }: Stores,
  id: string,
  controller: string | undefined,
): [RequestSummary, ...RequestSummary[]] {
  const [request, ...others] = catalogue.find(id, controllerOf(controller, tenants));
  if (request !== undefined) return [request, ...others];
  const whose = controller === undefined ? '' : ` of controller ${controller}`;
  throw new CommandFailure(`there is no request ${id}${whose}`);
}
