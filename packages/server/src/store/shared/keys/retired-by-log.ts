// When a master key was retired, by the audit log: the column can be set by anyone with write access, and a key that
// is destroyed too early takes the backups with it that need it.
import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import { readDetail } from '../../../domain/audit/read-detail.ts';
import type { Sql } from '../../sql.ts';
import { isCutSince } from '../audit/cut-audit.ts';

type Found = ClaimedAuditRow & { readonly mac: Uint8Array | null };

/** Reads the whole log: only called for a key that is about to be destroyed. */
export async function retiredByLog(
  sql: Sql,
  masterKeyId: string,
  retiredTime: number,
): Promise<number | null> {
  const tables = sql.dialect.auditTables.map(
    (table) => `SELECT time, actor, action, controller_id AS "controllerId",
        subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac
      FROM ${table} WHERE action = 'master_key.retired'`,
  );
  const rows = await sql.all<Found>(tables.join(' UNION ALL '));
  const times = rows
    .filter((row) => readDetail(row).master_key === masterKeyId)
    .filter(({ mac, ...row }) => sql.rowMacs.verify(auditClaim(row), mac))
    .map(({ time }) => time);
  if (times.includes(retiredTime)) return Math.max(...times);
  if (times.length === 0 && (await isCutSince(sql, sql.rowMacs, retiredTime))) return retiredTime;
  sql.rowMacs.refuse({ kind: 'master key', id: masterKeyId }, 'it was retired at another time');
  return times.length === 0 ? null : Math.max(...times);
}
