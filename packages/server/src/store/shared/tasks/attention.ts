// Reads what may need an operator; domain/task/attention.ts decides on each. Archived requests are done.
import { dayOf } from '../../../domain/day.ts';
import type { AttentionQuery } from '../../../domain/operator-ports.ts';
import {
  aboutToBeTried,
  MOST_COUNTED,
  type OpenTask,
  pendingTooLong,
  reasonOfPending,
  reasonOfTask,
  reasonWithoutTasks,
  withWords,
} from '../../../domain/task/attention.ts';
import type { AttentionLine } from '../../../domain/task.ts';
import type { Sql, Values } from '../../sql.ts';
import { NOT_PAUSED } from './brakes.ts';

const PAGE = 2000;

type Query = Omit<AttentionQuery, 'limit'>;

interface RequestRow extends Pick<AttentionLine, 'controllerId' | 'subjectRequestId'> {
  readonly requestNo: number;
  readonly receivedTime: number;
}

interface Found extends RequestRow {
  readonly target: string | null;
  readonly state: AttentionLine['state'];
  readonly reason: string;
  readonly detail: string | null;
}

const REQUEST = `request_no AS "requestNo", controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId"`;
const OF_CONTROLLER = '(:controllerId::text IS NULL OR controller_id = :controllerId)';
const IS_RESOLVING = `EXISTS (SELECT 1 FROM @tasks AS other
  WHERE other.request_no = tasks.request_no AND other.phase = 'resolve' AND other.state <> 'erased')`;
/** Of a run that was asked for after the completion, when it was. */
const RECEIVED = 'coalesce(asked_time, received_time)';

// Those that are about to be tried are not read: there may be very many.
const OPEN_TASKS = `
  SELECT ${REQUEST}, ${RECEIVED} AS "receivedTime", task_no AS "taskNo", target, state, tasks.phase,
         due_time AS "dueTime", changed_time AS "changedTime", attempts, tasks.reason,
         NOT ${NOT_PAUSED} AS "isPaused", circuits.code AS "circuitCode",
         lease_until AS "leaseUntil", ${IS_RESOLVING} AS "isResolving",
         coalesce(tasks.detail, circuits.detail) AS detail
  FROM @tasks JOIN @requests USING (request_no)
  LEFT JOIN @circuits USING (target) LEFT JOIN @batches USING (batch_no, target)
  WHERE state <> 'erased' AND ${OF_CONTROLLER}
    AND NOT (state = 'waiting' AND circuits.code IS NULL AND ${NOT_PAUSED}
      AND ${RECEIVED} >= :receivedSince AND coalesce(tasks.reason, '') <> 'daily_cap'
      AND CASE WHEN due_time IS NULL THEN tasks.phase = 'erase' AND ${IS_RESOLVING}
               ELSE due_time BETWEEN :dueFrom AND :dueUntil END)
    AND (${RECEIVED}, request_no, task_no) > (:afterTime, :afterRequest, :afterTask)
  ORDER BY ${RECEIVED}, request_no, task_no LIMIT ${PAGE}`;

/** Two ranges, so that the index passes by a million that just came. */
const PENDING = `
  SELECT ${REQUEST}, received_time AS "receivedTime", EXISTS (SELECT 1 FROM @daily_counts
    WHERE day = :today AND what = 'starts' AND whose = controller_id
      AND count >= :maxStartsPerDay::bigint) AS "isAtDailyLimit"
  FROM @requests
  WHERE status = 'pending' AND (received_time < :lateBefore OR received_time > :aheadAfter)
    AND ${OF_CONTROLLER}
  ORDER BY received_time, request_no LIMIT :most`;

const NOT_PLANNED = `
  SELECT ${REQUEST}, received_time AS "receivedTime", false AS "isPlanned",
         started_time AS "startedTime"
  FROM @requests
  WHERE status = 'in_progress' AND plan_id IS NULL AND ${OF_CONTROLLER}
  ORDER BY received_time, request_no`;

const WITHOUT_TASKS = `
  SELECT ${REQUEST}, received_time AS "receivedTime", true AS "isPlanned",
         started_time AS "startedTime"
  FROM @requests
  WHERE status = 'in_progress' AND plan_id IS NOT NULL AND ${OF_CONTROLLER} AND NOT EXISTS (
    SELECT 1 FROM @tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased')
  ORDER BY received_time, request_no LIMIT :most`;

export async function readAttention(sql: Sql, query: AttentionQuery): Promise<AttentionLine[]> {
  const found = await findAll(sql, query, query.limit);
  return found
    .sort((a, b) => a.receivedTime - b.receivedTime || a.requestNo - b.requestNo)
    .slice(0, query.limit)
    .map(({ requestNo: _, ...line }) => withWords(line));
}

export async function countAttention(sql: Sql, query: Query): Promise<Map<string, number>> {
  const found = (await findAll(sql, query, MOST_COUNTED)).slice(0, MOST_COUNTED);
  const counts = new Map<string, number>();
  for (const { reason } of found) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

/** The first so many of each kind. */
async function findAll(sql: Sql, query: Query, most: number): Promise<Found[]> {
  return [
    ...(await findTasks(sql, query, most)),
    ...(await findPending(sql, query, most)),
    ...(await findWithoutTasks(sql, query, most)),
  ];
}

interface TaskRow extends OpenTask, RequestRow {
  readonly receivedTime: number;
  readonly taskNo: number;
  readonly detail: string | null;
}

async function findTasks(sql: Sql, query: Query, most: number): Promise<Found[]> {
  const { now, controllerId = null } = query;
  const found: Found[] = [];
  let after: Values = { afterTime: Number.MIN_SAFE_INTEGER, afterRequest: 0, afterTask: 0 };
  while (found.length < most) {
    const values = { controllerId, ...aboutToBeTried(now), ...after };
    const page = await sql.all<TaskRow>(OPEN_TASKS, values);
    for (const task of page) {
      const reason = reasonOfTask(task, query);
      if (reason !== null) found.push({ ...requestOf(task), ...stateOf(task), reason });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    const { receivedTime: afterTime, requestNo: afterRequest, taskNo: afterTask } = last;
    after = { afterTime, afterRequest, afterTask };
  }
  return found;
}

async function findPending(sql: Sql, query: Query, most: number): Promise<Found[]> {
  const { now, cancellationWindowMs, controllerId = null, maxStartsPerDay = null } = query;
  const rows = await sql.all<RequestRow & { isAtDailyLimit: boolean }>(PENDING, {
    ...{ controllerId, maxStartsPerDay, most, today: dayOf(now) },
    ...pendingTooLong(now, cancellationWindowMs),
  });
  return rows.map((row) => ({
    ...requestOf(row),
    ...NO_TASK,
    reason: reasonOfPending(row, now),
  }));
}

async function findWithoutTasks(sql: Sql, query: Query, most: number): Promise<Found[]> {
  const { now, controllerId = null } = query;
  type Row = RequestRow & { readonly isPlanned: boolean; readonly startedTime: number | null };
  const rows = [
    ...(await sql.all<Row>(NOT_PLANNED, { controllerId })),
    ...(await sql.all<Row>(WITHOUT_TASKS, { controllerId, most })),
  ];
  return rows.flatMap((row) => {
    const reason = reasonWithoutTasks(row, now);
    return reason === null ? [] : [{ ...requestOf(row), ...NO_TASK, reason }];
  });
}

const NO_TASK = { target: null, state: 'pending', detail: null } as const;

function requestOf({ requestNo, controllerId, subjectRequestId, receivedTime }: RequestRow) {
  return { requestNo, controllerId, subjectRequestId, receivedTime };
}

function stateOf({ target, state, detail }: TaskRow) {
  return { target, state, detail };
}
