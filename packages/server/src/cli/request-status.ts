import type { RequestStatus } from '@unwrite/protocol';
import type { RequestKey } from '../domain/request.ts';
import type { SqliteStore } from '../store/sqlite/open-store.ts';
import { findRequest } from './find-request.ts';

/** As it is now: what an operator has just done may have completed it. */
export function requestStatusOf(store: SqliteStore, request: RequestKey): RequestStatus {
  return findRequest(store, request.subjectRequestId, request.controllerId).status;
}
