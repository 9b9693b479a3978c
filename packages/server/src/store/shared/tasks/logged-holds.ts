// With how many rows a task was held, according to the audit log: a release is valid for this number, whatever
// the column says.
import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import { objectFromJson } from '../../../domain/stored-json.ts';
import { type LoggedHold, requireLoggedRows } from '../../../domain/task/logged-holds.ts';
import type { OperatedTask } from '../../../domain/task/task-rules.ts';
import type { Sql } from '../../sql.ts';

type HoldRow = ClaimedAuditRow & { readonly mac: Uint8Array | null };

/** Refuses, and tells, where the log has another number. */
export async function requireRowsOfLog(sql: Sql, task: OperatedTask): Promise<void> {
  try {
    requireLoggedRows(task, await readHolds(sql, task));
  } catch (error) {
    const why = 'it was held with another number of rows';
    sql.rowMacs.refuse({ kind: 'task', id: String(task.taskNo) }, why);
    throw error;
  }
}

async function readHolds(sql: Sql, task: OperatedTask): Promise<LoggedHold[]> {
  const tables = [...new Set(['@audit_rows', sql.dialect.arrivalTable])];
  const rows = await sql.all<HoldRow>(tables.map(rowsIn).join(' UNION ALL '), {
    id: task.subjectRequestId.toLowerCase(),
    controllerId: task.controllerId,
  });
  return rows
    .filter(({ mac, ...row }) => sql.rowMacs.isOf(auditClaim(row), mac))
    .map(({ time, detail }) => ({ time, ...objectFromJson(detail ?? '{}') }));
}

const rowsIn = (table: string) => `
  SELECT time, actor, action, controller_id AS "controllerId",
         subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac
  FROM ${table}
  WHERE lower(subject_request_id) = :id AND controller_id = :controllerId
    AND action <> 'request.created' AND action = 'task.held'`;
