// What the audit log says about requests, from rows with a valid MAC: one read for many requests.
import type { LoggedRow } from '../../../domain/request/log-rules.ts';
import type { Sql } from '../../sql.ts';
import { isOurs, type RowWithMac, selectClaimed } from './claimed-rows.ts';
import {
  type LoggedKey,
  OF_REQUESTS,
  type RowsOfRequest,
  requestIdsOf,
  rowsByRequest,
} from './rows-of-requests.ts';

type Found = RowWithMac & LoggedRow;

export async function readLoggedRows(
  sql: Sql,
  requests: readonly LoggedKey[],
): Promise<(request: LoggedKey) => RowsOfRequest<LoggedRow>> {
  return rowsByRequest(await readRows(sql, requests), isOurs(sql.rowMacs));
}

/** Rows of ours, under the request's own number; what others wrote is left out. */
export async function readOwnRows(
  sql: Sql,
  requests: readonly LoggedKey[],
): Promise<(request: LoggedKey) => readonly LoggedRow[]> {
  const rows = await readRows(sql, requests);
  const rowsOf = rowsByRequest(rows.filter(isOurs(sql.rowMacs)), () => true);
  return (request) => rowsOf(request).own;
}

function readRows(sql: Sql, requests: readonly LoggedKey[]): Promise<Found[]> {
  return sql.all<Found>(selectClaimed(sql, OF_REQUESTS), {
    requestIds: requestIdsOf(requests),
  });
}
