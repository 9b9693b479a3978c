import type { RequestStatus } from '@unwrite/protocol';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import { controllerOf } from '../controller/find-controller.ts';

export interface RequestQuery {
  readonly controller?: string | undefined;
  readonly status?: RequestStatus | undefined;
  /** Ages in seconds. */
  readonly olderThan?: number | undefined;
  readonly newerThan?: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listRequests(
  { tenants, catalogue, clock }: Pick<Store, 'tenants' | 'catalogue' | 'clock'>,
  { controller, status, olderThan, newerThan, limit }: RequestQuery,
): Promise<RequestSummary[]> {
  const controllerId = await controllerOf(controller, tenants);
  return catalogue.list({
    limit,
    ...(controllerId !== undefined && { controllerId }),
    ...(status !== undefined && { status }),
    ...(olderThan !== undefined && { receivedBefore: clock() - olderThan * 1000 }),
    ...(newerThan !== undefined && { receivedAfter: clock() - newerThan * 1000 }),
  });
}
