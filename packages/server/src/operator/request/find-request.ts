import type { RequestStatus } from '@unwrite/protocol';
import type { RequestKey, RequestSummary } from '../../domain/request/request.ts';
import type { RequestCatalogue } from '../../domain/request/request-ports.ts';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import type { TenantStore } from '../../domain/tenant/tenant-ports.ts';
import { controllerOf } from '../controller/find-controller.ts';
import { NotFound } from '../failures.ts';

interface Stores {
  readonly tenants: TenantStore;
  readonly catalogue: RequestCatalogue;
}

/** Ids are unique per controller: an id that several controllers use needs --controller. */
export async function findRequest(
  stores: Stores,
  id: string,
  controller: string | undefined,
): Promise<RequestSummary> {
  const found = await findRequests(stores, id, controller);
  if (found.length > 1) {
    const names = found.map(({ controllerId }) => controllerId).join(', ');
    throw new NotPossible(`several controllers use this id (${names}); add --controller`);
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
  throw new NotFound(`there is no request ${id}${whose}`);
}

/** The current status: an operator's action may just have completed the request. */
export async function statusOf(stores: Stores, request: RequestKey): Promise<RequestStatus> {
  return (await findRequest(stores, request.subjectRequestId, request.controllerId)).status;
}
