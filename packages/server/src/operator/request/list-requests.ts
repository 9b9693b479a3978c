import type { RequestStatus } from '@unwrite/protocol';
import type { RequestPlace } from '../../domain/operator/view-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import { controllerOf } from '../controller/find-controller.ts';
import { type OutcomeFilter, type RequestLine, requestLines } from './request-line.ts';

const PAGE = 200;

export interface RequestQuery {
  readonly controller?: string | undefined;
  readonly status?: RequestStatus | undefined;
  readonly outcome?: OutcomeFilter | undefined;
  /** Ages in seconds. */
  readonly olderThan?: number | undefined;
  readonly newerThan?: number | undefined;
  readonly limit: number;
}

/** As they came, newest first; with a final status or an outcome, as they ended. */
export async function listRequests(
  store: Pick<Store, 'tenants' | 'views' | 'tasks' | 'clock'>,
  { controller, status, outcome, olderThan, newerThan, limit }: RequestQuery,
): Promise<RequestLine[]> {
  const controllerId = await controllerOf(controller, store.tenants);
  const now = store.clock();
  const filter = {
    ...(controllerId !== undefined && { controllerId }),
    ...(status !== undefined && { status }),
    ...(outcome !== undefined && { outcome }),
    ...(olderThan !== undefined && { receivedUntil: now - olderThan * 1000 }),
    ...(newerThan !== undefined && { receivedFrom: now - newerThan * 1000 }),
  };
  const lines: RequestLine[] = [];
  let after: RequestPlace | null | undefined;
  while (after !== null && lines.length < limit) {
    const page = await requestLines(store, {
      ...filter,
      limit: Math.min(PAGE, limit - lines.length),
      ...(after !== undefined && { after }),
    });
    lines.push(...page.items);
    after = page.next;
  }
  return lines;
}
