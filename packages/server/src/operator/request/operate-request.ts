// Actions of operators on a request: start it now, retry it now, add identities.
import type { RequestStatus } from '@unwrite/protocol';
import type { Identity } from '../../domain/request/identity.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import { findRequest, statusOf } from './find-request.ts';
import type { IdentityAccess } from './request-identities.ts';

type RequestStores = Pick<Store, 'tenants' | 'catalogue' | 'operator'>;

export interface NamedRequest {
  readonly id: string;
  /** Needed if several controllers use the same id. */
  readonly controller?: string | undefined;
}

const START_WAIT_MS = 3000;
const LOOK_MS = 100;

/** The server looks every second, so the status is usually that of a started request. */
export async function startRequest(
  store: RequestStores,
  { id, controller }: NamedRequest,
  by: Actor,
): Promise<{ readonly request: RequestSummary; readonly status: RequestStatus }> {
  const request = await findRequest(store, id, controller);
  await store.operator.askStart(request, by);
  const deadline = Date.now() + START_WAIT_MS;
  let status = await statusOf(store, request);
  while (status === 'pending' && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    status = await statusOf(store, request);
  }
  return { request, status };
}

/** Returns how many tasks are due now. */
export async function retryRequest(
  store: RequestStores,
  { id, controller }: NamedRequest,
  by: Actor,
): Promise<{ readonly request: RequestSummary; readonly tasks: number }> {
  const request = await findRequest(store, id, controller);
  return { request, tasks: await store.operator.retry(request, by) };
}

/** Tasks that are done get another run with all identities. */
export async function identifyRequest(
  { store, identities }: { readonly store: RequestStores; readonly identities: IdentityAccess },
  { id, controller }: NamedRequest,
  added: readonly Identity[],
  by: Actor,
): Promise<RequestSummary> {
  const request = await findRequest(store, id, controller);
  const sealed = identities.seal(request, added);
  const digests = await identities.digests(request.controllerId, added);
  await store.operator.identify(request, { sealed, digests }, by);
  return request;
}
