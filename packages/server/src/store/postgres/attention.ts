// Everything that does not go on by itself, by its complement: a task is left out only where it is
// done, or about to be tried, or in the hands of a worker that lives. Archived requests are done.
import { dayOf } from '../../domain/day.ts';
import type { AttentionQuery } from '../../domain/operator-ports.ts';
import type { AttentionLine } from '../../domain/task.ts';
import {
  type AttentionRow,
  attentionLines,
  countedReasons,
  GRACE,
  HOUR,
  LONGEST_WAIT,
  MINUTE,
  MOST_COUNTED,
  PATIENT_GRACE,
  THIRTY_DAYS,
} from '../attention-lines.ts';
import { NOT_PAUSED } from './brakes.ts';
import type { Sql } from './database.ts';

// The values of valuesOf().
const NOW = '$1::bigint';
const WINDOW = '$2::bigint';
const TODAY = '$3::bigint';
const MOST_STARTS = '$4::bigint';
const PATIENT = '$5::text[]';

const OPEN_TASKS = `
  SELECT request_no, controller_id, subject_request_id,
    coalesce(asked_time, received_time) AS received_time, target, state,
    (CASE
      WHEN state IN ('held', 'failed') THEN coalesce(tasks.reason, state)
      WHEN state = 'waiting' AND NOT ${NOT_PAUSED} THEN 'paused'
      WHEN circuits.code IS NOT NULL THEN circuits.code
      WHEN state = 'running' AND (batches.batch_no IS NULL
        OR lease_until NOT BETWEEN ${NOW} - ${MINUTE} AND ${NOW} + ${HOUR}) THEN 'worker_gone'
      -- Tried again after it failed: it does not go out of sight until that went well.
      WHEN state = 'running' AND attempts > 1 AND tasks.reason IS NOT NULL THEN tasks.reason
      WHEN state = 'running' AND changed_time < ${NOW} - ${PATIENT_GRACE} THEN 'taking_long'
      WHEN state = 'waiting' AND due_time IS NULL AND (tasks.phase = 'resolve' OR NOT EXISTS (
        SELECT 1 FROM @tasks AS other WHERE other.request_no = tasks.request_no
          AND other.phase = 'resolve' AND other.state <> 'erased')) THEN 'blocked'
      WHEN state = 'waiting' AND tasks.reason = 'daily_cap'
        AND due_time BETWEEN ${NOW} AND ${NOW} + ${PATIENT_GRACE} THEN 'daily_cap'
      WHEN state = 'waiting' AND due_time NOT BETWEEN
        ${NOW} - CASE WHEN target = ANY(${PATIENT}) THEN ${PATIENT_GRACE} ELSE ${GRACE} END
        AND ${NOW} + ${LONGEST_WAIT} THEN 'not_worked_on'
      WHEN coalesce(asked_time, received_time) + ${THIRTY_DAYS} < ${NOW} THEN 'past_deadline'
    END) COLLATE "C" AS reason,
    coalesce(tasks.detail, circuits.detail) AS detail
  FROM @tasks JOIN @requests USING (request_no)
  LEFT JOIN @circuits USING (target) LEFT JOIN @batches USING (batch_no, target)
  WHERE state <> 'erased'`;

/** Two ranges, so that the index passes by a million that just came. */
const NOT_STARTED = `
  SELECT request_no, controller_id, subject_request_id, received_time, NULL, 'pending',
    CASE WHEN received_time < ${NOW} AND EXISTS (SELECT 1 FROM @daily_counts
        WHERE day = ${TODAY} AND what = 'starts' AND whose = controller_id AND count >= ${MOST_STARTS})
      THEN 'daily_cap' ELSE 'not_started' END, NULL
  FROM @requests
  WHERE status = 'pending'
    AND (received_time < ${NOW} - ${WINDOW} - ${GRACE} OR received_time > ${NOW} + ${GRACE})`;

/** The sweep would have moved it on. */
const NOT_PLANNED = `
  SELECT request_no, controller_id, subject_request_id, received_time, NULL, 'pending',
    'not_planned', NULL
  FROM @requests
  WHERE status = 'in_progress' AND plan_id IS NULL AND coalesce(started_time, 0) < ${NOW} - ${GRACE}`;

/** The last task would have. */
const NOT_COMPLETED = `
  SELECT request_no, controller_id, subject_request_id, received_time, NULL, 'pending',
    'not_completed', NULL
  FROM @requests
  WHERE status = 'in_progress' AND plan_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM @tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased')`;

const EVERYTHING_OPEN = [OPEN_TASKS, NOT_STARTED, NOT_PLANNED, NOT_COMPLETED].join(' UNION ALL ');

function valuesOf(query: Omit<AttentionQuery, 'limit'>) {
  const { now, cancellationWindowMs, maxStartsPerDay, patientTargets } = query;
  return [now, cancellationWindowMs, dayOf(now), maxStartsPerDay ?? null, patientTargets];
}

export function prepareAttention(sql: Sql) {
  return async (query: AttentionQuery): Promise<AttentionLine[]> => {
    const rows = await sql.all<AttentionRow>(
      `SELECT controller_id AS "controllerId", subject_request_id AS "subjectRequestId",
              received_time AS "receivedTime", target, state, reason, detail
       FROM (${EVERYTHING_OPEN}) AS open
       WHERE reason IS NOT NULL AND ($6::text IS NULL OR controller_id = $6)
       ORDER BY received_time, request_no LIMIT $7`,
      [...valuesOf(query), query.controllerId ?? null, query.limit],
    );
    return attentionLines(rows);
  };
}

export function prepareCountAttention(sql: Sql) {
  return async (query: Omit<AttentionQuery, 'limit'>): Promise<Map<string, number>> =>
    countedReasons(
      await sql.all(
        `SELECT reason, count(*) AS count
         FROM (SELECT reason FROM (${EVERYTHING_OPEN}) AS open
           WHERE reason IS NOT NULL LIMIT ${MOST_COUNTED}) AS counted
         GROUP BY reason`,
        valuesOf(query),
      ),
    );
}
