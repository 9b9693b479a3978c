// The list of what is known to have happened since the backup. Confirming cancels requests on it, so an entry that someone
// else wrote is shown, and nothing is done about it.
import { isSubjectRequestId, type RequestStatus } from '@unwrite/protocol';
import { findingClaim, type RowMacs } from '../../../domain/keys/row-macs.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import { keyText } from '../../../domain/request/same-request.ts';
import {
  cancelsAgain,
  type Finding,
  isLater,
  type Restore,
} from '../../../domain/store/restore.ts';
import type { ReviewedRequest } from '../../../domain/store/restore-ports.ts';
import { type Database, rowsOf, type Sql } from '../../sql.ts';
import { storedText } from '../../stored-text.ts';
import { WORKED_ON } from './cancel-again.ts';
import { OPEN, readOpen } from './stored-restore.ts';

export const MAX_AT_ONCE = 200;
/** The largest time that a Date can hold. */
const LAST_TIME = 8_640_000_000_000_000;

export type Found = ReviewedRequest & { readonly requestNo: number | null };

interface StoredFinding extends Finding {
  readonly mac: Uint8Array | null;
}

interface KnownRequest {
  readonly status: RequestStatus;
  readonly receivedTime: number;
  readonly requestNo: number;
  readonly worked: number;
}

export const nameOf = ({ what, controllerId, subjectRequestId }: Finding) =>
  [what, controllerId, subjectRequestId].join();

export const toCancel = (list: readonly Found[]) =>
  list.flatMap(({ isToCancel, requestNo }) =>
    isToCancel && requestNo !== null ? [requestNo] : [],
  );

/** A time that no clock shows is not read: it could not be shown, and its MAC is wrong without it. */
export const STORED = `SELECT what, controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId",
  CASE WHEN time BETWEEN 0 AND ${LAST_TIME} THEN time ELSE 0 END AS time, source, mac
  FROM @restore_findings`;

/** Empty if no restore is open. */
export async function readFindings(sql: Sql, macs: RowMacs): Promise<Found[]> {
  const open = await readOpen(sql, macs);
  if (open === undefined) return [];
  const rows = await sql.all<StoredFinding>(
    `${STORED} ORDER BY time, what, controller_id, subject_request_id`,
  );
  const requestOf = await readRequests(sql, rows);
  return rows.map(({ mac, ...row }) => {
    const known: Partial<KnownRequest> = requestOf(row) ?? {};
    const { status = null, receivedTime = null, requestNo = null, worked = 0 } = known;
    const isOurs = macs.verifyOrReport(findingClaim(row, open), mac);
    const isAnother = receivedTime !== null && isLater(row, receivedTime, open.detectedTime);
    const isToCancel =
      isOurs &&
      row.what === 'cancelled' &&
      !isAnother &&
      cancelsAgain(status ?? undefined, worked > 0);
    return { ...row, status, receivedTime, requestNo, isOurs, isToCancel };
  });
}

/** Not in one statement with the list: what someone else wrote may be no UUID. */
async function readRequests(
  sql: Sql,
  rows: readonly RequestKey[],
): Promise<(row: RequestKey) => KnownRequest | undefined> {
  const keys = rows
    .filter(({ subjectRequestId }) => isSubjectRequestId(subjectRequestId))
    .map(({ controllerId, subjectRequestId }) => ({ controllerId, subjectRequestId }));
  const found = await sql.all<RequestKey & KnownRequest>(
    `SELECT found."controllerId", found."subjectRequestId", status,
            received_time AS "receivedTime", request_no AS "requestNo", ${WORKED_ON} AS worked
     FROM json_to_recordset(:keys::json) AS found ("controllerId" text, "subjectRequestId" text)
     JOIN @all_requests AS known ON known.controller_id = found."controllerId"
       AND known.request_uuid = found."subjectRequestId"::uuid`,
    { keys: rowsOf(keys) },
  );
  const byKey = new Map(found.map((it) => [keyText(it), it]));
  return (row) => byKey.get(keyText(row));
}

/** Undefined if an operator has confirmed meanwhile: additions would have no effect any more. */
export async function addFindings(
  database: Database,
  macs: RowMacs,
  found: readonly Finding[],
): Promise<number | undefined> {
  let count = 0;
  for (let at = 0; at < found.length; at += MAX_AT_ONCE) {
    const some = found
      .slice(at, at + MAX_AT_ONCE)
      .map((it) => ({ ...it, source: storedText(it.source) }));
    const added = await database.transaction((sql) => addSome(sql, macs, some));
    if (added === undefined) return undefined;
    count += added;
  }
  return count;
}

async function addSome(
  sql: Sql,
  macs: RowMacs,
  some: readonly Finding[],
): Promise<number | undefined> {
  // Locked, so that an operator who confirms either waits, or has confirmed before.
  await sql.get(`SELECT 1 AS one FROM @restores WHERE ${OPEN} FOR UPDATE`);
  const open = await readOpen(sql, macs);
  if (open === undefined) return undefined;
  await removeForged(sql, macs, open, some);
  const rows = some.map((it) => ({ ...it, mac: macs.compute(findingClaim(it, open)) }));
  const added = await sql.run(
    `INSERT INTO @restore_findings (what, controller_id, subject_request_id, time, source, mac)
     SELECT what, "controllerId", "subjectRequestId", time, source, decode(mac, 'hex')
     FROM json_to_recordset(:rows::json) AS found
       (what text, "controllerId" text, "subjectRequestId" text, time bigint, source text, mac text)
     WHERE true ON CONFLICT DO NOTHING`,
    { rows: rowsOf(rows) },
  );
  if (added > 0) await sql.run(`UPDATE @restores SET reviewed_time = NULL WHERE ${OPEN}`);
  return added;
}

/** An entry of someone else must not stand in the place of ours. */
async function removeForged(
  sql: Sql,
  macs: RowMacs,
  open: Restore,
  some: readonly Finding[],
): Promise<void> {
  const known = await sql.all<StoredFinding>(
    `${STORED} WHERE subject_request_id = ANY(:ids::text[])`,
    { ids: some.map(({ subjectRequestId }) => subjectRequestId) },
  );
  for (const { mac, ...row } of known) {
    if (macs.verifyOrReport(findingClaim(row, open), mac)) continue;
    const { what, controllerId, subjectRequestId } = row;
    await sql.run(
      `DELETE FROM @restore_findings WHERE what = :what AND controller_id = :controllerId
         AND subject_request_id = :subjectRequestId`,
      { what, controllerId, subjectRequestId },
    );
  }
}
