// The status of requests according to the audit log, for those whose column says that they have ended.
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import {
  loggedStatus,
  type ReadLoggedStatus,
  STATUS_ACTIONS,
} from '../../../domain/request/logged-status.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import { keyText } from '../../../domain/request/same-request.ts';
import { createCoalescer } from '../../coalesce.ts';
import type { Database, Sql } from '../../sql.ts';
import { isOurs, type RowWithMac, selectClaimed } from '../audit/claimed-rows.ts';
import { isCutSince } from '../audit/cut-audit.ts';
import { OF_REQUESTS, requestIdsOf } from '../audit/rows-of-requests.ts';
import { findRequest } from './read-request.ts';

export function createLoggedStatus(database: Database, macs: RowMacs): ReadLoggedStatus {
  // Those that are asked for together share one statement: a node compares all that it knows when it starts.
  const reads = createCoalescer<RequestKey, RowWithMac[]>({
    run: (requests) => readRows(database, requests),
    maxBatch: 256,
    maxInFlight: 2,
    maxWaiting: 20_000,
    shareOf: ({ controllerId }) => controllerId,
  });
  return async (request, state) => {
    const rows = await reads.submit(request);
    const ours = rows.filter(isOurs(macs));
    if (loggedStatus(state, ours) === state.status) return state.status;
    // Its number is read only if the times do not decide.
    const own = await findRequest(database, request);
    const isOwn = (row: RowWithMac) => own !== undefined && Number(row.requestNo) === own.requestNo;
    const status = loggedStatus(
      state,
      ours.map((row) => ({ ...row, isOwn: isOwn(row) })),
    );
    if (status === state.status) return status;
    if (await isCutSince(database, macs, state.receivedTime)) return undefined;
    const { subjectRequestId } = state;
    const why = `its status says ${state.status}, and by the log it is ${status}`;
    macs.refuse({ kind: 'request', id: subjectRequestId }, why);
    return status;
  };
}

/** In the order of the requests. */
async function readRows(sql: Sql, requests: readonly RequestKey[]): Promise<RowWithMac[][]> {
  const where = `${OF_REQUESTS} AND action = ANY(:actions::text[])`;
  const rows = await sql.all<RowWithMac>(selectClaimed(sql, where), {
    requestIds: requestIdsOf(requests),
    actions: STATUS_ACTIONS,
  });
  const byRequest = Map.groupBy(rows, keyText);
  return requests.map((request) => byRequest.get(keyText(request)) ?? []);
}
