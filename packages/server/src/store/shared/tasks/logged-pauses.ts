// Pauses that the audit log has and the table of pauses lost: somebody else removed them. They hold. So does what the log says of a
// store that went back in time.
import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import { readDetail } from '../../../domain/audit/read-detail.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import type { Database, Sql } from '../../sql.ts';

/** As the index audit_of_pauses says it. */
const PAUSES =
  "action IN ('erasing.paused', 'erasing.resumed', 'store.went_back', 'store.restore_confirmed')";

/** Not the name of a target. */
const RESTORE = ':restore';

type PauseRow = ClaimedAuditRow & { readonly mac: Uint8Array | null };

/**
 * Since when, by the newest row of each scope; by time, so that an old row that somebody copied says nothing. A row that pauses counts without
 * its MAC, too: otherwise taking that away would resume.
 */
export async function loggedPauses(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const pauses = await readPauses(sql, sql.rowMacs);
  pauses.delete(RESTORE);
  return pauses;
}

/** When the store went back, as the log says, and no operator has confirmed it since; undefined where it is not so. */
export async function loggedRestore(
  sql: Sql,
  macs: RowMacs = sql.rowMacs,
): Promise<number | undefined> {
  return (await readPauses(sql, macs)).get(RESTORE);
}

/** When a row has the last word about a scope, whatever the clock says: the log goes by time. */
export async function timeAfterLogged(
  sql: Sql,
  macs: RowMacs,
  scope: string | undefined,
  now: number,
): Promise<number> {
  const newest = (await readNewest(sql, macs)).get(scope ?? RESTORE);
  return Math.max(now, (newest?.time ?? 0) + 1);
}

/** By scope, since when. */
async function readPauses(sql: Sql, macs: RowMacs): Promise<Map<string, number>> {
  const newest = [...(await readNewest(sql, macs))];
  return new Map(newest.flatMap(([scope, { time, pauses }]) => (pauses ? [[scope, time]] : [])));
}

interface NewestRow {
  readonly time: number;
  readonly pauses: boolean;
}

async function readNewest(sql: Sql, macs: RowMacs): Promise<Map<string, NewestRow>> {
  const tables = [...new Set(['@audit_rows', sql.dialect.arrivalTable])];
  const rows = await sql.all<PauseRow>(
    `SELECT * FROM (${tables.map(rowsIn).join(' UNION ALL ')}) AS pauses
     ORDER BY time DESC, action = 'store.restore_confirmed' DESC`,
  );
  const scopes = new Map<string, NewestRow>();
  for (const { mac, ...row } of rows) {
    const scope = row.action.startsWith('store.') ? RESTORE : String(readDetail(row).target);
    const pauses = row.action === 'erasing.paused' || row.action === 'store.went_back';
    if (scopes.has(scope) || !(pauses || macs.isOf(auditClaim(row), mac))) continue;
    scopes.set(scope, { time: row.time, pauses });
  }
  return scopes;
}

const rowsIn = (table: string) => `
  SELECT time, actor, action, controller_id AS "controllerId",
         subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac
  FROM ${table} WHERE ${PAUSES}`;

/** Tells of a pause that is not in its table any more. Both are read as of one moment: an operator may resume meanwhile. */
export async function isPausedByLog(database: Database, target: string): Promise<boolean> {
  if (pausing(await readPauses(database, database.rowMacs), target) === undefined) return false;
  return database.snapshot(async (sql) => {
    const scope = pausing(await readPauses(sql, sql.rowMacs), target);
    if (scope === undefined || scope === RESTORE) return scope !== undefined;
    const known = await sql.get('SELECT 1 AS one FROM @brakes WHERE scope = :scope', { scope });
    if (known === undefined) {
      sql.rowMacs.refuse({ kind: 'pause', id: scope }, 'no operator has resumed it');
    }
    return true;
  });
}

const pausing = (paused: ReadonlyMap<string, number>, target: string) =>
  [RESTORE, EVERYTHING, target].find((scope) => paused.has(scope));
