// Rows of the audit log about one request, but only those that this installation has written.
import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import { readDetail } from '../../../domain/audit/read-detail.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import type { Sql } from '../../sql.ts';
import { isOurs, type RowWithMac, selectClaimed } from './claimed-rows.ts';

/** In the form of the index audit_of_request. */
const OF_ACTION = `lower(subject_request_id) = :id AND controller_id = :controllerId
  AND action <> 'request.created' AND action = :action`;

export interface RequestRow {
  readonly time: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

export async function requestRows(
  sql: Sql,
  { controllerId, subjectRequestId }: RequestKey,
  action: AuditAction,
): Promise<RequestRow[]> {
  const rows = await sql.all<RowWithMac>(selectClaimed(sql, OF_ACTION), {
    id: subjectRequestId.toLowerCase(),
    controllerId,
    action,
  });
  return rows
    .filter(isOurs(sql.rowMacs))
    .map((row) => ({ time: row.time, detail: readDetail(row) }));
}
