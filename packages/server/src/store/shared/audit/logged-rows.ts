// What the audit log says of requests, as far as the rows authenticate: one read for many requests.
import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import { LOG_ACTIONS, type LoggedRow } from '../../../domain/request/log-rules.ts';
import type { Sql } from '../../sql.ts';

export interface AskedRequest {
  readonly requestNo: number;
  readonly controllerId: string;
  readonly subjectRequestId: string;
}

type Found = ClaimedAuditRow & { readonly requestNo: number; readonly mac: Uint8Array | null };

const COLUMNS = `time, actor, action, controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac`;

/** Rows that have come and have no number yet count too. */
export async function readLoggedRows(
  sql: Sql,
  requests: readonly AskedRequest[],
): Promise<(requestNo: number) => readonly LoggedRow[]> {
  const asked = new Map(requests.map((request) => [request.requestNo, request]));
  const tables = [...new Set(['@audit_rows', sql.dialect.arrivalTable])];
  const parts = tables.map(
    (table) => `SELECT ${COLUMNS} FROM ${table}
      WHERE request_no = ANY(:requestNos::bigint[]) AND action <> 'request.created'
        AND action = ANY(:actions::text[])`,
  );
  const rows = await sql.all<Found>(parts.join(' UNION ALL '), {
    requestNos: [...asked.keys()],
    actions: LOG_ACTIONS,
  });
  const ours = rows.filter(
    (row) => isAbout(row, asked.get(row.requestNo)) && sql.rowMacs.isOf(auditClaim(row), row.mac),
  );
  const byRequest = Map.groupBy(ours, ({ requestNo }) => requestNo);
  return (requestNo) => byRequest.get(requestNo) ?? [];
}

/** Where a number was given again, older rows are about another request. */
function isAbout(row: Found, request: AskedRequest | undefined): boolean {
  return (
    row.controllerId === request?.controllerId &&
    row.subjectRequestId?.toLowerCase() === request?.subjectRequestId.toLowerCase()
  );
}
