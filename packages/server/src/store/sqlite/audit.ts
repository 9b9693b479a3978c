// Synchronous, only for the writer thread; other code uses shared/audit/append-audit.ts.
import type { DatabaseSync } from 'node:sqlite';
import { auditClaim } from '../../domain/audit/audit-claim.ts';
import type { NewAuditRow } from '../../domain/audit/audit-row.ts';
import type { RowAuthenticator } from '../../domain/keys/row-macs.ts';
import { prepareWrite } from './prepare-write.ts';

/** `mac`: given if it is already known. */
export type AppendAudit = (
  row: NewAuditRow,
  requestNo?: number | bigint | null,
  mac?: Uint8Array,
) => void;

/** Appends in the caller's transaction: no change without its audit row, no audit row without its change. */
export function prepareAppendAudit(
  database: DatabaseSync,
  { macOf }: Pick<RowAuthenticator, 'macOf'>,
): AppendAudit {
  const insert = prepareWrite(
    database,
    `
    INSERT INTO audit_rows
      (time, actor, action, controller_id, subject_request_id, detail, request_no, mac)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  `,
  );
  return (row, requestNo = null, mac = macOf(auditClaim({ ...row, requestNo }))) => {
    insert.run(
      row.time,
      row.actor,
      row.action,
      row.controllerId,
      row.subjectRequestId,
      row.detail,
      requestNo,
      mac,
    );
  };
}
