import { isLimitReached } from '../../../domain/limit/daily-count.ts';
import { dayOf } from '../../../domain/limit/day.ts';
import type { DueRequest } from '../../../domain/task/fulfilment-ports.ts';
import type { ControllerId } from '../../../domain/tenant/controller-id.ts';
import type { Sql } from '../../sql.ts';
import { wentBack } from '../restores/went-back.ts';
import { readIdentities } from './read-identities.ts';

type DueRow = Omit<DueRequest, 'identities'>;

const REQUEST = `SELECT request_no AS "requestNo", controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId", received_time AS "receivedTime" FROM @requests`;

const LEFT = 'request_no <> ALL(:refused::bigint[])';
const TO_PLAN = `${REQUEST}
  WHERE status = 'in_progress' AND plan_id IS NULL AND ${LEFT} ORDER BY request_no LIMIT :max`;
const ASKED_FOR = `${REQUEST}
  WHERE status = 'pending' AND start_asked_by IS NOT NULL AND ${LEFT}
    AND NOT (substr(created_by, 1, 9) = 'operator:' AND controller_id = ANY(:leaveOut::text[]))
  ORDER BY request_no LIMIT :max`;
const PAST_THE_WINDOW = `${REQUEST}
  WHERE status = 'pending' AND received_time <= :receivedBefore
    AND controller_id <> ALL(:leaveOut::text[]) AND ${LEFT}
  ORDER BY received_time, request_no LIMIT :max`;

/** Requests to be started, oldest first; each of the three kinds has its own index. */
export async function dueRequests(
  sql: Sql,
  receivedBefore: number,
  max: number,
  leaveOut: readonly ControllerId[],
  /** Requests that must not start; leaving them out keeps them from blocking others. */
  refused: readonly number[],
): Promise<DueRequest[]> {
  if (await wentBack(sql)) return [];
  const rows = [
    ...(await sql.all<DueRow>(TO_PLAN, { max, refused })),
    ...(await sql.all<DueRow>(ASKED_FOR, { leaveOut, max, refused })),
    ...(await sql.all<DueRow>(PAST_THE_WINDOW, { receivedBefore, leaveOut, max, refused })),
  ];
  const once = new Map(rows.map((row) => [row.requestNo, row]));
  // Requests that an operator wants started now are always included; the result is sorted oldest first.
  const chosen = [...once.values()].slice(0, max).sort((a, b) => a.requestNo - b.requestNo);
  const requestNos = chosen.map(({ requestNo }) => requestNo);
  const identities = await readIdentities(sql, requestNos);
  return chosen.map((row) => ({ ...row, identities: identities.get(row.requestNo) ?? [] }));
}

export async function controllersAtDailyLimit(
  sql: Sql,
  maxStartsPerDay: number,
  now: number,
): Promise<ControllerId[]> {
  const rows = await sql.all<{ whose: ControllerId; count: number }>(
    `SELECT whose, count FROM @daily_counts WHERE day = :day AND what = 'starts'`,
    { day: dayOf(now) },
  );
  return rows
    .filter(({ count }) => isLimitReached(count, maxStartsPerDay))
    .map(({ whose }) => whose);
}
