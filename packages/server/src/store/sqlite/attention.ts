// Everything that does not go on by itself, by its complement: a task is left out only where it is
// done, or about to be tried, or in the hands of a worker that lives.
import type { DatabaseSync } from 'node:sqlite';
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

const OPEN_TASKS = `
  SELECT request_no, controller_id, subject_request_id,
    coalesce(asked_time, received_time) AS received_time, target, state,
    CASE
      WHEN state IN ('held', 'failed') THEN coalesce(tasks.reason, state)
      WHEN state = 'waiting' AND NOT ${NOT_PAUSED} THEN 'paused'
      WHEN circuits.code IS NOT NULL THEN circuits.code
      WHEN state = 'running' AND (batches.batch_no IS NULL
        OR lease_until NOT BETWEEN :now - ${MINUTE} AND :now + ${HOUR}) THEN 'worker_gone'
      -- Tried again after it failed: it does not go out of sight until that went well.
      WHEN state = 'running' AND attempts > 1 AND tasks.reason IS NOT NULL THEN tasks.reason
      WHEN state = 'running' AND changed_time < :now - ${PATIENT_GRACE} THEN 'taking_long'
      WHEN state = 'waiting' AND due_time IS NULL AND (tasks.phase = 'resolve' OR NOT EXISTS (
        SELECT 1 FROM tasks AS other WHERE other.request_no = tasks.request_no
          AND other.phase = 'resolve' AND other.state <> 'erased')) THEN 'blocked'
      WHEN state = 'waiting' AND tasks.reason = 'daily_cap'
        AND due_time BETWEEN :now AND :now + ${PATIENT_GRACE} THEN 'daily_cap'
      WHEN state = 'waiting' AND due_time NOT BETWEEN
        :now - CASE WHEN target IN (SELECT value FROM json_each(:patientTargets))
          THEN ${PATIENT_GRACE} ELSE ${GRACE} END
        AND :now + ${LONGEST_WAIT} THEN 'not_worked_on'
      WHEN coalesce(asked_time, received_time) + ${THIRTY_DAYS} < :now THEN 'past_deadline'
    END AS reason,
    coalesce(tasks.detail, circuits.detail) AS detail
  FROM tasks JOIN requests USING (request_no)
  LEFT JOIN circuits USING (target) LEFT JOIN batches USING (batch_no, target)
  WHERE state <> 'erased'`;

/** Two ranges, so that the index passes by a million that just came. */
const NOT_STARTED = `
  SELECT request_no, controller_id, subject_request_id, received_time, NULL, 'pending',
    iif(received_time < :now AND EXISTS (SELECT 1 FROM daily_counts
      WHERE day = :today AND what = 'starts' AND whose = controller_id AND count >= :mostStartsADay),
      'daily_cap', 'not_started'), NULL
  FROM requests
  WHERE status = 'pending'
    AND (received_time < :now - :window - ${GRACE} OR received_time > :now + ${GRACE})`;

/** The sweep, or the last task, would have moved it on. */
const WITHOUT_TASKS = `
  SELECT request_no, controller_id, subject_request_id, received_time, NULL, 'pending',
    iif(plan_id IS NULL, 'not_planned', 'not_completed'), NULL
  FROM requests WHERE status = 'in_progress'
    AND iif(plan_id IS NULL, coalesce(started_time, 0) < :now - ${GRACE}, NOT EXISTS (
      SELECT 1 FROM tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased'))`;

const EVERYTHING_OPEN = `${OPEN_TASKS} UNION ALL ${NOT_STARTED} UNION ALL ${WITHOUT_TASKS}`;

function valuesOf(query: Omit<AttentionQuery, 'limit'>) {
  return {
    now: query.now,
    window: query.cancellationWindowMs,
    today: dayOf(query.now),
    mostStartsADay: query.maxStartsPerDay ?? null,
    patientTargets: JSON.stringify(query.patientTargets),
  };
}

export function prepareAttention(database: DatabaseSync) {
  const select = database.prepare(`
    SELECT controller_id AS controllerId, subject_request_id AS subjectRequestId,
           received_time AS receivedTime, target, state, reason, detail
    FROM (${EVERYTHING_OPEN})
    WHERE reason IS NOT NULL AND (:controllerId IS NULL OR controller_id = :controllerId)
    ORDER BY received_time, request_no LIMIT :limit
  `);

  return (query: AttentionQuery): AttentionLine[] => {
    const values = { controllerId: query.controllerId ?? null, limit: query.limit };
    const rows = select.all({ ...valuesOf(query), ...values });
    return attentionLines(rows as unknown as AttentionRow[]);
  };
}

export function prepareCountAttention(database: DatabaseSync) {
  const select = database.prepare(`
    SELECT reason, count(*) AS count
    FROM (SELECT reason FROM (${EVERYTHING_OPEN}) WHERE reason IS NOT NULL LIMIT ${MOST_COUNTED})
    GROUP BY reason
  `);
  return (query: Omit<AttentionQuery, 'limit'>): Map<string, number> => {
    return countedReasons(select.all(valuesOf(query)) as { reason: string; count: number }[]);
  };
}
