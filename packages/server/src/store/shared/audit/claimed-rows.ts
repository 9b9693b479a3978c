// Audit rows with all that their MAC covers, for decisions that must not depend on rows that someone else wrote.
import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { Sql } from '../../sql.ts';

export interface RowWithMac extends ClaimedAuditRow {
  readonly mac: Uint8Array | null;
}

export const CLAIMED_COLUMNS = `time, actor, action, controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac`;

/** Rows that have no number yet are included. */
export function selectClaimed({ dialect }: Sql, where: string): string {
  const tables = new Set(['@audit_rows', dialect.arrivalTable]);
  return [...tables]
    .map((table) => `SELECT ${CLAIMED_COLUMNS} FROM ${table} WHERE ${where}`)
    .join(' UNION ALL ');
}

/** Whether this installation wrote the row. */
export const isOurs = (macs: RowMacs) => (row: RowWithMac) => macs.verify(auditClaim(row), row.mac);
