// What the audit log says about requests, from rows with a valid MAC: one read for many requests.
import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import { LOG_ACTIONS, type LoggedRow } from '../../../domain/request/log-rules.ts';
import type { Sql } from '../../sql.ts';
import {
  type LoggedKey,
  OF_REQUESTS,
  type RowsOfRequest,
  requestIdsOf,
  rowsByRequest,
} from './rows-of-requests.ts';

type Found = ClaimedAuditRow & LoggedRow & { readonly mac: Uint8Array | null };

const COLUMNS = `time, actor, action, controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac`;

const isOurs = (sql: Sql) => (row: Found) => sql.rowMacs.verify(auditClaim(row), row.mac);

export async function readLoggedRows(
  sql: Sql,
  requests: readonly LoggedKey[],
): Promise<(request: LoggedKey) => RowsOfRequest<LoggedRow>> {
  return rowsByRequest(await readRows(sql, requests), isOurs(sql));
}

/** Rows of ours, under the request's own number; what others wrote is left out. */
export async function readOwnRows(
  sql: Sql,
  requests: readonly LoggedKey[],
): Promise<(request: LoggedKey) => readonly LoggedRow[]> {
  const rows = await readRows(sql, requests);
  const rowsOf = rowsByRequest(rows.filter(isOurs(sql)), () => true);
  return (request) => rowsOf(request).own;
}

/** Rows that have no number yet count too. */
function readRows(sql: Sql, requests: readonly LoggedKey[]): Promise<Found[]> {
  const tables = [...new Set(['@audit_rows', sql.dialect.arrivalTable])];
  const parts = tables.map(
    (table) => `SELECT ${COLUMNS} FROM ${table}
      WHERE ${OF_REQUESTS} AND action = ANY(:actions::text[])`,
  );
  return sql.all<Found>(parts.join(' UNION ALL '), {
    requestIds: requestIdsOf(requests),
    actions: LOG_ACTIONS,
  });
}
