import type { RequestCatalogue, TenantStore } from '../../domain/ports.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import { existingController } from '../controller/existing-controller.ts';
import { CommandFailure } from '../shared/failure.ts';

interface Stores {
  readonly tenants: TenantStore;
  readonly catalogue: RequestCatalogue;
}

export async function controllerOf(
  controller: string | undefined,
  tenants: TenantStore,
): Promise<ControllerId | undefined> {
  return controller === undefined
    ? undefined
    : (await existingController(tenants, controller)).controllerId;
}

/** Ids are unique per controller: one that several use needs --controller. */
export async function findRequest(
  stores: Stores,
  id: string,
  controller: string | undefined,
): Promise<RequestSummary> {
  const found = await findRequests(stores, id, controller);
  if (found.length > 1) {
    const names = found.map(({ controllerId }) => controllerId).join(', ');
    throw new CommandFailure(`several controllers use this id (${names}); add --controller`);
  }
  return found[0];
}

/** For filters: a misspelt request is a failure, not an empty list. */
export async function requireRequest(
  stores: Stores,
  id: string | undefined,
  controller: string | undefined,
): Promise<void> {
  if (id !== undefined) await findRequests(stores, id, controller);
}

async function findRequests(
  { tenants, catalogue }: Stores,
  id: string,
  controller: string | undefined,
): Promise<[RequestSummary, ...RequestSummary[]]> {
  const [request, ...others] = await catalogue.find(id, await controllerOf(controller, tenants));
  if (request !== undefined) return [request, ...others];
  const whose = controller === undefined ? '' : ` of controller ${controller}`;
  throw new CommandFailure(`there is no request ${id}${whose}`);
}
