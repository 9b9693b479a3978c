import type { ControllerId } from '../../domain/controller-id.ts';
import { dayOf } from '../../domain/day.ts';
import type { DueRequest } from '../../domain/fulfilment-ports.ts';
import type { Sql } from './database.ts';
import { readIdentities } from './read-identities.ts';

type DueRow = Omit<DueRequest, 'identities'>;

const COLUMNS = `request_no AS "requestNo", controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId"`;

/** Requests to be started, oldest first; each of the three ways has an index of its own. */
export async function dueRequests(
  sql: Sql,
  receivedBefore: number,
  most: number,
  leaveOut: readonly ControllerId[],
): Promise<DueRequest[]> {
  const toPlan = await sql.all<DueRow>(
    `SELECT ${COLUMNS} FROM @requests
     WHERE status = 'in_progress' AND plan_id IS NULL ORDER BY request_no LIMIT $1`,
    [most],
  );
  const askedFor = await sql.all<DueRow>(
    `SELECT ${COLUMNS} FROM @requests
     WHERE status = 'pending' AND start_asked_by IS NOT NULL ORDER BY request_no LIMIT $1`,
    [most],
  );
  const pastTheWindow = await sql.all<DueRow>(
    `SELECT ${COLUMNS} FROM @requests
     WHERE status = 'pending' AND received_time <= $1 AND controller_id <> ALL($2::text[])
     ORDER BY received_time, request_no LIMIT $3`,
    [receivedBefore, leaveOut, most],
  );
  const rows = [...toPlan, ...askedFor, ...pastTheWindow];
  const once = new Map(rows.map((row) => [row.requestNo, row]));
  // What operators wait for is never left out for the rest; among those chosen the oldest is first.
  const chosen = [...once.values()].slice(0, most).sort((a, b) => a.requestNo - b.requestNo);
  const identities = await readIdentities(
    sql,
    chosen.map(({ requestNo }) => requestNo),
  );
  return chosen.map((row) => ({ ...row, identities: identities.get(row.requestNo) ?? [] }));
}

export async function startedOutFor(
  sql: Sql,
  startsADay: number,
  now: number,
): Promise<ControllerId[]> {
  const rows = await sql.all<{ whose: ControllerId }>(
    `SELECT whose FROM @daily_counts WHERE day = $1 AND what = 'starts' AND count >= $2`,
    [dayOf(now), startsADay],
  );
  return rows.map(({ whose }) => whose);
}
