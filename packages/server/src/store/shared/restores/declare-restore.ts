// Declares that a backup of the store was restored, and again where someone else has removed or changed the record of it.
import { anAlarm } from '../../../domain/alarm/alarm.ts';
import { openRestoreClaim, type RowMacs } from '../../../domain/keys/row-macs.ts';
import { SYSTEM } from '../../../domain/store/restore.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import type { Sql } from '../../sql.ts';
import { raiseAlarms } from '../alarms/raise-alarm.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { loggedRestore, openDeclaration, timeAfterLogged } from '../tasks/logged-pauses.ts';
import { isDeclaredByUs, OPEN, RESTORE, type StoredRestore } from './stored-restore.ts';

/** A head with a larger number is not ours, and the number cannot be read exactly. */
export const OUR_NUMBERS = `head_no <= ${Number.MAX_SAFE_INTEGER}`;
const DELETED = 'the record of a restore that no operator has confirmed was deleted';
const CHANGED = 'the record of a restore that no operator has confirmed was changed';

/** If several nodes notice it at once, one of them records it. */
export async function declare(
  sql: Sql,
  macs: RowMacs,
  reason: string,
  by: Actor,
): Promise<boolean> {
  const [added] = await sql.all<Pick<StoredRestore, 'restoreNo' | 'lastHeadNo'>>(
    `INSERT INTO @restores (restore_no, detected_time, detected_by, reason, last_head_no)
     SELECT coalesce((SELECT max(restore_no) FROM @restores), 0) + 1, :now, :actor, :reason,
            coalesce((SELECT max(head_no) FROM @audit_heads WHERE ${OUR_NUMBERS}), 0)
     WHERE true ON CONFLICT DO NOTHING
     RETURNING restore_no AS "restoreNo", last_head_no AS "lastHeadNo"`,
    { now: by.now, actor: by.actor, reason },
  );
  if (added === undefined) return false;
  const claim = openRestoreClaim({ ...added, detectedTime: by.now });
  await sql.run(`UPDATE @restores SET mac = :mac WHERE ${OPEN}`, { mac: macs.compute(claim) });
  // Shown in the list of pauses.
  await sql.run(
    `INSERT INTO @brakes (scope, paused_time, paused_by) VALUES (:scope, :now, '${SYSTEM}')
     ON CONFLICT DO NOTHING`,
    { scope: EVERYTHING, now: by.now },
  );
  await appendDeclared(sql, macs, reason, by);
  const message = `${reason}: if a backup was restored, requests that were cancelled since are pending again. Nothing starts until "unwrite restored review" and "unwrite restored confirm"`;
  await raiseAlarms(sql, [anAlarm('store_went_back', String(by.now), message, by.now)]);
  return true;
}

async function appendDeclared(sql: Sql, macs: RowMacs, reason: string, by: Actor): Promise<void> {
  const logged = { ...by, now: await timeAfterLogged(sql, macs, undefined, by.now) };
  await appendAudit(sql, [auditOf('store.went_back', logged, { reason, detected: by.now })]);
}

/** The record was deleted, and the log says that no operator has confirmed it: the restore is declared again. */
export async function declareAgain(sql: Sql, macs: RowMacs, reason = DELETED): Promise<void> {
  const since = await loggedRestore(sql, macs);
  if (since === undefined) return;
  // A row of the log that someone else has changed keeps the restore open, but its time does not count.
  const now = (await openDeclaration(sql, macs)) ?? since;
  await declare(sql, macs, reason, { actor: SYSTEM, now });
}

/**
 * Someone else has written or changed the record of an open restore. If the log has the restore, it is declared again, as
 * it says, and every node lists again what it knows. If not, the record is removed: nodes that know of a restore declare it.
 */
export async function replaceForged(sql: Sql, macs: RowMacs): Promise<void> {
  const open = await sql.get<StoredRestore>(`${RESTORE} WHERE ${OPEN} FOR UPDATE`);
  if (open === undefined || isDeclaredByUs(open, macs)) return;
  macs.verifyOrReport(openRestoreClaim(open), open.mac);
  await sql.run(`DELETE FROM @restores WHERE ${OPEN}`);
  await declareAgain(sql, macs, CHANGED);
}
