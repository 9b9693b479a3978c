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

/** Rows that have no number yet count too. */
export async function readLoggedRows(
  sql: Sql,
  requests: readonly LoggedKey[],
): Promise<(request: LoggedKey) => RowsOfRequest<LoggedRow>> {
  const tables = [...new Set(['@audit_rows', sql.dialect.arrivalTable])];
  const parts = tables.map(
    (table) => `SELECT ${COLUMNS} FROM ${table}
      WHERE ${OF_REQUESTS} AND action = ANY(:actions::text[])`,
  );
  const rows = await sql.all<Found>(parts.join(' UNION ALL '), {
    requestIds: requestIdsOf(requests),
    actions: LOG_ACTIONS,
  });
  return rowsByRequest(rows, (row) => sql.rowMacs.isOf(auditClaim(row), row.mac));
}
