// The restores of the store, and the list of what is known to have happened since the backup.
import { confirmedRestoreClaim, type RowMacs } from '../../../domain/keys/row-macs.ts';
import { SYSTEM } from '../../../domain/store/restore.ts';
import type { RestoreState, RestoreStore } from '../../../domain/store/restore-ports.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import { type Database, hex, type Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { loggedRestore, timeAfterLogged } from '../tasks/logged-pauses.ts';
import { cancelAgain } from './cancel-again.ts';
import { declare, declareAgain, OUR_NUMBERS, replaceForged } from './declare-restore.ts';
import { addFindings, MAX_AT_ONCE, nameOf, readFindings, toCancel } from './findings.ts';
import { readCancelled } from './logged-cancellations.ts';
import { isReviewed, recordReviewed } from './reviewed-list.ts';
import {
  isConfirmedByUs,
  isDeclaredByUs,
  OPEN,
  RESTORE,
  readOpen,
  type StoredRestore,
} from './stored-restore.ts';

export function createRestoreStore(
  writer: Database,
  macs: RowMacs,
  reader: Database = writer,
): RestoreStore {
  const found = () => readFindings(reader.unprepared, macs);
  return {
    async state() {
      const state = await readState(reader);
      const { lastNo } = state;
      if (state.openNo !== null) {
        if ((await readOpen(reader, macs)) !== undefined) return state;
        await writer.transaction((sql) => replaceForged(sql, macs));
        return readState(writer);
      }
      if (lastNo !== null && !(await isConfirmed(reader, macs, lastNo))) {
        await writer.transaction((sql) => reopenOrRemove(sql, macs, lastNo));
        return readState(writer);
      }
      if ((await loggedRestore(reader, macs)) === undefined) return state;
      await writer.transaction((sql) => declareAgain(sql, macs));
      return readState(writer);
    },
    async head(headNo) {
      const row = await reader.get<{ hash: Uint8Array; time: number }>(
        'SELECT hash, time FROM @audit_heads WHERE head_no = :headNo',
        { headNo },
      );
      return row && { headNo, hash: hex(row.hash), time: row.time };
    },
    cancelledBetween: (after, upTo) => readCancelled(reader, macs, after, upTo),
    async restores() {
      const rows = await reader.all<StoredRestore>(`${RESTORE} ORDER BY restore_no`);
      return rows
        .filter((row) =>
          row.confirmedTime === null ? isDeclaredByUs(row, macs) : isConfirmedByUs(row, macs),
        )
        .map(({ confirmedBy: _by, confirmMac: _confirmed, mac: _mac, ...restore }) => restore);
    },
    declare: (reason, by) => writer.transaction((sql) => declare(sql, macs, reason, by)),
    addFindings: (more) => addFindings(writer, macs, more),
    async findings() {
      return (await found()).map(({ requestNo: _, ...finding }) => finding);
    },
    reviewed: (list, by) => writer.transaction((sql) => recordReview(sql, macs, list, by)),
    async confirm(anyway, by, check = () => undefined) {
      // In parts, before the restore is confirmed: a request that is cancelled stays cancelled, even if a
      // later part fails.
      if (!(await mayConfirm(writer, anyway))) return undefined;
      const list = await found();
      check(list);
      const known = new Set(list.filter(({ isOurs }) => isOurs).map(nameOf));
      const open = await readOpen(writer, macs);
      if (open === undefined) return undefined;
      if (!anyway && !(await isReviewed(writer, macs, open, list))) return undefined;
      const requestNos = toCancel(list);
      let count = 0;
      for (let at = 0; at < requestNos.length; at += MAX_AT_ONCE) {
        const some = requestNos.slice(at, at + MAX_AT_ONCE);
        count += await writer.transaction((sql) => cancelAgain(sql, some, by));
      }
      return writer.unprepared.transaction(async (sql) => {
        if (!(await mayConfirm(sql, anyway))) return undefined;
        // Another node, or another operator's files, may have added some since, and that operator has reviewed those.
        const late = (await readFindings(sql, macs)).filter(
          (one) => one.isOurs && !known.has(nameOf(one)),
        );
        if (!anyway && late.length > 0) return undefined;
        const more = await cancelAgain(sql, toCancel(late), by);
        return (await close(sql, macs, count + more, by)) ? count + more : undefined;
      });
    },
  };
}

async function isConfirmed(sql: Sql, macs: RowMacs, restoreNo: number): Promise<boolean> {
  // A number that cannot be read exactly is not ours, and no other restore could be declared after it.
  if (!Number.isSafeInteger(restoreNo)) return false;
  const row = await sql.get<StoredRestore>(`${RESTORE} WHERE restore_no = :restoreNo`, {
    restoreNo,
  });
  return row === undefined || row.confirmedTime === null || isConfirmedByUs(row, macs);
}

/** Someone else has marked it as confirmed, or has added it. If the log has no open restore, nodes that know of one declare it. */
async function reopenOrRemove(sql: Sql, macs: RowMacs, restoreNo: number): Promise<void> {
  if (!Number.isSafeInteger(restoreNo)) {
    macs.refuse({ kind: 'restore', id: String(restoreNo) }, 'it has no such restore');
    await sql.run(`DELETE FROM @restores WHERE restore_no > ${Number.MAX_SAFE_INTEGER}`);
  } else if ((await loggedRestore(sql, macs)) === undefined) {
    await sql.run('DELETE FROM @restores WHERE restore_no = :restoreNo', { restoreNo });
  } else await reopen(sql, restoreNo);
}

async function reopen(sql: Sql, restoreNo: number): Promise<void> {
  await sql.run(
    `UPDATE @restores SET confirmed_time = NULL, confirmed_by = NULL, confirm_mac = NULL,
            reviewed_time = NULL
     WHERE restore_no = :restoreNo AND NOT EXISTS (SELECT 1 FROM @restores WHERE ${OPEN})`,
    { restoreNo },
  );
  await sql.run(
    `INSERT INTO @brakes (scope, paused_time, paused_by)
     SELECT :scope, detected_time, '${SYSTEM}' FROM @restores WHERE ${OPEN}
     ON CONFLICT DO NOTHING`,
    { scope: EVERYTHING },
  );
}

async function readState(sql: Sql): Promise<RestoreState> {
  const row = await sql.get<RestoreState>(
    `SELECT (SELECT restore_no FROM @restores WHERE ${OPEN}) AS "openNo",
            (SELECT max(restore_no) FROM @restores) AS "lastNo",
            (SELECT head_no FROM @audit_heads WHERE ${OUR_NUMBERS}
             ORDER BY head_no DESC LIMIT 1) AS "headNo",
            (SELECT hash FROM @audit_heads WHERE ${OUR_NUMBERS}
             ORDER BY head_no DESC LIMIT 1) AS "headHash",
            (SELECT count(*) FROM @brakes
             WHERE scope = '${EVERYTHING}' AND paused_by = '${SYSTEM}') AS pauses`,
  );
  const { openNo = null, lastNo = null, headNo = null, headHash = null } = row ?? {};
  const { pauses = 0 } = (row ?? {}) as { pauses?: number };
  return { openNo, lastNo, headNo, headHash, isPausedBySystem: pauses > 0 };
}

async function recordReview(
  sql: Sql,
  macs: RowMacs,
  list: Parameters<RestoreStore['reviewed']>[0],
  by: Actor,
): Promise<void> {
  await sql.run(`UPDATE @restores SET reviewed_time = :now WHERE ${OPEN}`, { now: by.now });
  const open = await readOpen(sql, macs);
  if (open !== undefined) await recordReviewed(sql, macs, open, list, by);
}

/** Locks the open restore, if there is one: a node that has found something more either waits, or has already reset the review. */
async function mayConfirm(sql: Sql, anyway: boolean): Promise<boolean> {
  const open = await sql.get<{ reviewedTime: number | null }>(
    `SELECT reviewed_time AS "reviewedTime" FROM @restores WHERE ${OPEN} FOR UPDATE`,
  );
  return open !== undefined && (anyway || open.reviewedTime !== null);
}

/** False if someone else has changed the record of the restore meanwhile. */
async function close(sql: Sql, macs: RowMacs, cancelled: number, by: Actor): Promise<boolean> {
  const open = await readOpen(sql, macs);
  if (open === undefined) return false;
  const claim = { ...open, confirmedTime: by.now, confirmedBy: by.actor };
  await sql.run(
    `UPDATE @restores SET confirmed_time = :now, confirmed_by = :actor, confirm_mac = :mac
     WHERE ${OPEN}`,
    { now: by.now, actor: by.actor, mac: macs.compute(confirmedRestoreClaim(claim)) },
  );
  await sql.run('DELETE FROM @restore_findings');
  await sql.run(`DELETE FROM @brakes WHERE scope = :scope AND paused_by = '${SYSTEM}'`, {
    scope: EVERYTHING,
  });
  // A time after the restore was noticed, regardless of the clock.
  const logged = { ...by, now: await timeAfterLogged(sql, macs, undefined, by.now) };
  await appendAudit(sql, [auditOf('store.restore_confirmed', logged, { cancelled })]);
  return true;
}
