import type { NewAuditRow } from '../../domain/audit-row.ts';
import type { Sql } from './database.ts';

export interface AuditEntry extends NewAuditRow {
  readonly requestNo?: number | null;
}

/** Appends inside the caller's transaction: no change without its row, no row without its change. */
export async function appendAudit(sql: Sql, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await sql.run(
    `INSERT INTO @new_audit_rows
       (time, actor, action, controller_id, subject_request_id, detail, request_no)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                          $7::bigint[])`,
    [
      entries.map((it) => it.time),
      entries.map((it) => it.actor),
      entries.map((it) => it.action),
      entries.map((it) => it.controllerId),
      entries.map((it) => it.subjectRequestId),
      entries.map((it) => it.detail),
      entries.map((it) => it.requestNo ?? null),
    ],
  );
}
