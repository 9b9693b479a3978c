// What an operator has accepted about the audit log, as plain data: also the last copy of what was deleted.
import type { Damage } from '../../domain/audit/proof-ports.ts';
import { shownJson } from '../../domain/stored-json.ts';
import { isoTime } from '../iso-time.ts';

export function damageShape({ rows, deleted, heads, cut }: Damage) {
  return {
    rows,
    deleted_rows: deleted.map((row) => ({
      audit_no: row.auditNo,
      time: isoTime(row.time),
      actor: row.actor,
      action: row.action,
      controller_id: row.controllerId,
      subject_request_id: row.subjectRequestId,
      detail: row.detail === null ? null : shownJson(row.detail),
    })),
    deleted_heads: heads.map(({ headNo }) => headNo),
    deleted_cut: cut?.headNo ?? null,
  };
}
