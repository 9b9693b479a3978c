// Rows of the audit log about one request, but only those that this installation has written.
import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import { readDetail } from '../../../domain/audit/read-detail.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import type { Sql } from '../../sql.ts';

type Row = ClaimedAuditRow & { readonly mac: Uint8Array | null };

export interface RequestRow {
  readonly time: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

export async function requestRows(
  sql: Sql,
  { controllerId, subjectRequestId }: RequestKey,
  action: AuditAction,
): Promise<RequestRow[]> {
  const tables = [...new Set(['@audit_rows', sql.dialect.arrivalTable])];
  const rows = await sql.all<Row>(tables.map(rowsIn).join(' UNION ALL '), {
    id: subjectRequestId.toLowerCase(),
    controllerId,
    action,
  });
  return rows
    .filter(({ mac, ...row }) => sql.rowMacs.verify(auditClaim(row), mac))
    .map((row) => ({ time: row.time, detail: readDetail(row) }));
}

const rowsIn = (table: string) => `
  SELECT time, actor, action, controller_id AS "controllerId",
         subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac
  FROM ${table}
  WHERE lower(subject_request_id) = :id AND controller_id = :controllerId
    AND action <> 'request.created' AND action = :action`;
