// Synchronous, for the writer's thread alone; the others use shared/audit/append-audit.ts.
import type { DatabaseSync } from 'node:sqlite';
import type { NewAuditRow } from '../../domain/audit/audit-row.ts';
import { prepareWrite } from './prepare-write.ts';

export type AppendAudit = (row: NewAuditRow, requestNo?: number | bigint) => void;

/** Appends inside the caller's transaction: no change without its row, no row without its change. */
export function prepareAppendAudit(database: DatabaseSync): AppendAudit {
  const insert = prepareWrite(
    database,
    `
    INSERT INTO audit_rows
      (time, actor, action, controller_id, subject_request_id, detail, request_no)
    VALUES (?, ?, ?, ?, ?, ?, ?)
  `,
  );
  return (row, requestNo) => {
    insert.run(
      row.time,
      row.actor,
      row.action,
      row.controllerId,
      row.subjectRequestId,
      row.detail,
      requestNo ?? null,
    );
  };
}
