// Pauses that the audit log has and the table of pauses lost: somebody else removed them. They hold.

import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import { objectFromJson } from '../../../domain/stored-json.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import type { Sql } from '../../sql.ts';

/** As the index audit_of_pauses says it. */
const PAUSES = "action IN ('erasing.paused', 'erasing.resumed')";

type PauseRow = ClaimedAuditRow & { readonly mac: Uint8Array | null };

/** Since when, by the newest row of each scope; by time, so that an old row that somebody copied says nothing. */
export async function loggedPauses(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const tables = [...new Set(['@audit_rows', sql.dialect.arrivalTable])];
  const rows = await sql.all<PauseRow>(
    `SELECT * FROM (${tables.map(rowsIn).join(' UNION ALL ')}) AS pauses ORDER BY time DESC`,
  );
  const seen = new Set<string>();
  const paused = new Map<string, number>();
  for (const { mac, ...row } of rows) {
    const scope = String(objectFromJson(row.detail ?? '{}')?.target);
    if (seen.has(scope) || !sql.rowMacs.isOf(auditClaim(row), mac)) continue;
    seen.add(scope);
    if (row.action === 'erasing.paused') paused.set(scope, row.time);
  }
  return paused;
}

const rowsIn = (table: string) => `
  SELECT time, actor, action, controller_id AS "controllerId",
         subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac
  FROM ${table} WHERE ${PAUSES}`;

/** Tells of a pause that is not in its table any more. */
export async function isPausedByLog(sql: Sql, target: string): Promise<boolean> {
  const paused = await loggedPauses(sql);
  const scope = [EVERYTHING, target].find((one) => paused.has(one));
  if (scope === undefined) return false;
  const known = await sql.get('SELECT 1 AS one FROM @brakes WHERE scope = :scope', { scope });
  if (known === undefined) {
    sql.rowMacs.refuse({ kind: 'pause', id: scope }, 'no operator has resumed it');
  }
  return true;
}
