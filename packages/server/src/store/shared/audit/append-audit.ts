import { auditClaim } from '../../../domain/audit/audit-claim.ts';
import type { AuditAction, NewAuditRow } from '../../../domain/audit/audit-row.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { rowsOf, type Sql } from '../../sql.ts';
import { storedText } from '../../stored-text.ts';

export interface AuditEntry extends NewAuditRow {
  readonly requestNo?: number | null;
}

/** Appends in the caller's transaction: no change without its audit row, no audit row without its change. */
export async function appendAudit(sql: Sql, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await sql.run(
    `INSERT INTO @new_audit_rows
       (time, actor, action, controller_id, subject_request_id, detail, request_no, mac)
     SELECT time, actor, action, "controllerId", "subjectRequestId", detail, "requestNo",
            decode(mac, 'hex')
     FROM json_to_recordset(:entries::json) AS entry
       (time bigint, actor text, action text, "controllerId" text, "subjectRequestId" text,
        detail text, "requestNo" bigint, mac text)`,
    { entries: rowsOf(entries.map((entry) => authenticated(sql.rowMacs, entry))) },
  );
}

/** The MAC of the row as stored: characters that PostgreSQL cannot store are removed first. */
function authenticated(macs: RowMacs, entry: AuditEntry) {
  const { time, action, controllerId, subjectRequestId, requestNo = null } = entry;
  const actor = storedText(entry.actor);
  const detail = entry.detail === null ? null : storedText(entry.detail);
  const row = { time, actor, action, controllerId, subjectRequestId, detail, requestNo };
  return { ...row, mac: macs.compute(auditClaim(row)) };
}

/** An audit row that is not about a request. */
export function auditOf(
  action: AuditAction,
  { actor, now }: Actor,
  detail: object | null,
  controllerId: string | null = null,
): AuditEntry {
  const text = detail === null ? null : JSON.stringify(detail);
  return { time: now, actor, action, controllerId, subjectRequestId: null, detail: text };
}
