import type { RequestStatus } from '@unwrite/protocol';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import { findRequest } from './find-request.ts';

/** As it is now: what an operator has just done may have completed it. */
export async function requestStatusOf(store: Store, request: RequestKey): Promise<RequestStatus> {
  return (await findRequest(store, request.subjectRequestId, request.controllerId)).status;
}
