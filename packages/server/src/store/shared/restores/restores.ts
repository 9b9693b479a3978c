// The restores of the store, and the list of what is known to have happened since the backup.
import type { RequestStatus } from '@unwrite/protocol';
import { anAlarm } from '../../../domain/alarm/alarm.ts';
import { confirmedRestoreClaim, type RowMacs } from '../../../domain/keys/row-macs.ts';
import {
  cancelsAgain,
  type Finding,
  isLater,
  type Restore,
  SYSTEM,
} from '../../../domain/store/restore.ts';
import type {
  RestoreState,
  RestoreStore,
  ReviewedRequest,
} from '../../../domain/store/restore-ports.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import { type Database, hex, rowsOf, type Sql } from '../../sql.ts';
import { raiseAlarms } from '../alarms/raise-alarm.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { loggedRestore, timeAfterLogged } from '../tasks/logged-pauses.ts';
import { cancelAgain, WORKED_ON } from './cancel-again.ts';
import { readCancelled } from './logged-cancellations.ts';
import { isReviewed, recordReviewed } from './reviewed-list.ts';

const OPEN = 'confirmed_time IS NULL';
/** A head with a larger number is not ours, and the number cannot be read exactly. */
const OUR_NUMBERS = `head_no <= ${Number.MAX_SAFE_INTEGER}`;
const MAX_AT_ONCE = 200;
const DELETED = 'the record of a restore that no operator has confirmed was deleted';

export function createRestoreStore(
  writer: Database,
  macs: RowMacs,
  reader: Database = writer,
): RestoreStore {
  const found = () => readFindings(reader.unprepared);
  return {
    async state() {
      const state = await readState(reader);
      const { lastNo } = state;
      if (state.openNo !== null) return state;
      if (lastNo !== null && !(await isConfirmed(reader, macs, lastNo))) {
        await writer.transaction((sql) => reopen(sql, lastNo));
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
        .filter((row) => row.confirmedTime === null || fits(row, macs))
        .map(({ confirmedBy: _by, confirmMac: _mac, ...restore }) => restore);
    },
    declare: (reason, by) => writer.transaction((sql) => declare(sql, macs, reason, by)),
    addFindings: (more) => addFindings(writer, more),
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
      const known = new Set(list.map(nameOf));
      const open = await writer.get<StoredRestore>(`${RESTORE} WHERE ${OPEN}`);
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
        const late = (await readFindings(sql)).filter((one) => !known.has(nameOf(one)));
        if (!anyway && late.length > 0) return undefined;
        const more = await cancelAgain(sql, toCancel(late), by);
        await close(sql, macs, count + more, by);
        return count + more;
      });
    },
  };
}

const RESTORE = `SELECT restore_no AS "restoreNo", detected_time AS "detectedTime",
  detected_by AS "detectedBy", reason, last_head_no AS "lastHeadNo",
  reviewed_time AS "reviewedTime", confirmed_time AS "confirmedTime",
  confirmed_by AS "confirmedBy", confirm_mac AS "confirmMac" FROM @restores`;

interface StoredRestore extends Restore {
  readonly confirmedBy: string | null;
  readonly confirmMac: Uint8Array | null;
}

const fits = (row: StoredRestore, macs: RowMacs) =>
  macs.verifyOrReport(confirmedRestoreClaim(row), row.confirmMac);

async function isConfirmed(sql: Sql, macs: RowMacs, restoreNo: number): Promise<boolean> {
  const row = await sql.get<StoredRestore>(`${RESTORE} WHERE restore_no = :restoreNo`, {
    restoreNo,
  });
  return row === undefined || row.confirmedTime === null || fits(row, macs);
}

/** Someone else has marked it as confirmed: open the restore again. */
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

/** The record was deleted, and the log says that no operator has confirmed it: the restore is declared again. */
async function declareAgain(sql: Sql, macs: RowMacs): Promise<void> {
  const now = await loggedRestore(sql, macs);
  if (now !== undefined) await declare(sql, macs, DELETED, { actor: SYSTEM, now });
}

/** If several nodes notice it at once, one of them records it. */
async function declare(sql: Sql, macs: RowMacs, reason: string, by: Actor): Promise<boolean> {
  const added = await sql.run(
    `INSERT INTO @restores (restore_no, detected_time, detected_by, reason, last_head_no)
     SELECT coalesce((SELECT max(restore_no) FROM @restores), 0) + 1, :now, :actor, :reason,
            coalesce((SELECT max(head_no) FROM @audit_heads WHERE ${OUR_NUMBERS}), 0)
     WHERE true ON CONFLICT DO NOTHING`,
    { now: by.now, actor: by.actor, reason },
  );
  if (added === 0) return false;
  // Nodes of an earlier version understand only this.
  await sql.run(
    `INSERT INTO @brakes (scope, paused_time, paused_by) VALUES (:scope, :now, '${SYSTEM}')
     ON CONFLICT DO NOTHING`,
    { scope: EVERYTHING, now: by.now },
  );
  const logged = { ...by, now: await timeAfterLogged(sql, macs, undefined, by.now) };
  await appendAudit(sql, [auditOf('store.went_back', logged, { reason })]);
  const message = `${reason}: if a backup was restored, requests that were cancelled since are pending again. Nothing starts until "unwrite restored review" and "unwrite restored confirm"`;
  await raiseAlarms(sql, [anAlarm('store_went_back', String(by.now), message, by.now)]);
  return true;
}

async function recordReview(
  sql: Sql,
  macs: RowMacs,
  list: Parameters<RestoreStore['reviewed']>[0],
  by: Actor,
): Promise<void> {
  await sql.run(`UPDATE @restores SET reviewed_time = :now WHERE ${OPEN}`, { now: by.now });
  const open = await sql.get<StoredRestore>(`${RESTORE} WHERE ${OPEN}`);
  if (open !== undefined) await recordReviewed(sql, macs, open, list, by);
}

/** Undefined if an operator has confirmed meanwhile: additions would have no effect any more. */
async function addFindings(
  database: Database,
  found: readonly Finding[],
): Promise<number | undefined> {
  let count = 0;
  for (let at = 0; at < found.length; at += MAX_AT_ONCE) {
    const some = found.slice(at, at + MAX_AT_ONCE).map((it) => ({ ...it }));
    const added = await database.transaction(async (sql) => {
      if (!(await mayConfirm(sql, true))) return undefined;
      const added = await sql.run(
        `INSERT INTO @restore_findings (what, controller_id, subject_request_id, time, source)
         SELECT what, "controllerId", "subjectRequestId", time, source
         FROM json_to_recordset(:rows::json) AS found
           (what text, "controllerId" text, "subjectRequestId" text, time bigint, source text)
         WHERE true ON CONFLICT DO NOTHING`,
        { rows: rowsOf(some) },
      );
      if (added > 0) await sql.run(`UPDATE @restores SET reviewed_time = NULL WHERE ${OPEN}`);
      return added;
    });
    if (added === undefined) return undefined;
    count += added;
  }
  return count;
}

interface FindingRow extends Finding {
  readonly status: RequestStatus | null;
  readonly receivedTime: number | null;
  readonly requestNo: number | null;
  readonly worked: number;
}

type Found = ReviewedRequest & Pick<FindingRow, 'requestNo'>;

const nameOf = ({ what, controllerId, subjectRequestId }: ReviewedRequest) =>
  [what, controllerId, subjectRequestId].join();

const toCancel = (list: readonly Found[]) =>
  list.flatMap(({ isToCancel, requestNo }) =>
    isToCancel && requestNo !== null ? [requestNo] : [],
  );

async function readFindings(sql: Sql): Promise<Found[]> {
  const rows = await sql.all<FindingRow>(
    `SELECT what, found.controller_id AS "controllerId",
            found.subject_request_id AS "subjectRequestId", time, source, status,
            received_time AS "receivedTime", request_no AS "requestNo", ${WORKED_ON} AS worked
     FROM @restore_findings AS found LEFT JOIN @all_requests AS known
       ON known.controller_id = found.controller_id
       AND known.request_uuid = found.subject_request_id::uuid
     ORDER BY time, what, found.controller_id, found.subject_request_id`,
  );
  const detected = await sql.get<{ time: number }>(
    `SELECT detected_time AS time FROM @restores WHERE ${OPEN}`,
  );
  return rows.map(({ worked, ...row }) => {
    const isAnother =
      row.receivedTime !== null &&
      detected !== undefined &&
      isLater(row, row.receivedTime, detected.time);
    const isToCancel =
      row.what === 'cancelled' && !isAnother && cancelsAgain(row.status ?? undefined, worked > 0);
    return { ...row, isToCancel };
  });
}

/** Locks the open restore, if there is one: a node that has found something more either waits, or has already reset the review. */
async function mayConfirm(sql: Sql, anyway: boolean): Promise<boolean> {
  const open = await sql.get<{ reviewedTime: number | null }>(
    `SELECT reviewed_time AS "reviewedTime" FROM @restores WHERE ${OPEN} FOR UPDATE`,
  );
  return open !== undefined && (anyway || open.reviewedTime !== null);
}

async function close(sql: Sql, macs: RowMacs, cancelled: number, by: Actor): Promise<void> {
  const open = await sql.get<StoredRestore>(`${RESTORE} WHERE ${OPEN}`);
  if (open === undefined) return;
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
}
