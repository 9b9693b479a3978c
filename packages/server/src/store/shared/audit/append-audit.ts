import type { AuditAction, NewAuditRow } from '../../../domain/audit/audit-row.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { rowsOf, type Sql } from '../../sql.ts';

export interface AuditEntry extends NewAuditRow {
  readonly requestNo?: number | null;
}

/** Appends inside the caller's transaction: no change without its row, no row without its change. */
export async function appendAudit(sql: Sql, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await sql.run(
    `INSERT INTO @new_audit_rows
       (time, actor, action, controller_id, subject_request_id, detail, request_no)
     SELECT time, actor, action, "controllerId", "subjectRequestId", detail, "requestNo"
     FROM json_to_recordset(:entries::json) AS entry
       (time bigint, actor text, action text, "controllerId" text, "subjectRequestId" text,
        detail text, "requestNo" bigint)`,
    { entries: rowsOf(entries) },
  );
}

/** For something that is not a request. */
export function auditOf(
  action: AuditAction,
  { actor, now }: Actor,
  detail: object | null,
  controllerId: string | null = null,
): AuditEntry {
  const text = detail === null ? null : JSON.stringify(detail);
  return { time: now, actor, action, controllerId, subjectRequestId: null, detail: text };
}
