// Reads what may need an operator's attention; domain/task/attention.ts decides about each. Archived
// requests are done.
import type { LawFacts } from '../../../domain/deadline/statutory-deadline.ts';
import { dayOf } from '../../../domain/limit/day.ts';
import {
  aboutToBeTried,
  detailOf,
  MAX_ATTENTION_COUNTED,
  type OpenTask,
  pendingTooLong,
  reasonOfPending,
  reasonOfTask,
  reasonWithoutTasks,
  withWords,
} from '../../../domain/task/attention.ts';
import type { AttentionQuery } from '../../../domain/task/operator-ports.ts';
import type { AttentionLine } from '../../../domain/task/task.ts';
import type { Sql, Values } from '../../sql.ts';
import { NOT_PAUSED } from './pauses.ts';

/** Nearly every task that is read is shown, so few pages are read. */
const MAX_PAGE = 10_000;

export type Query = Omit<AttentionQuery, 'limit'>;

interface RequestRow extends Pick<AttentionLine, 'controllerId' | 'subjectRequestId'> {
  readonly requestNo: number;
  readonly receivedTime: number;
}

export interface Found extends RequestRow {
  readonly target: string | null;
  readonly state: AttentionLine['state'];
  readonly reason: string;
  readonly detail: string | null;
}

const REQUEST = `request_no AS "requestNo", controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId"`;
export const OF_CONTROLLER = '(:controllerId::text IS NULL OR controller_id = :controllerId)';
/** Open tasks for which a task has to wait. Names of targets contain no quotes. */
export const COMES_BEFORE = `other.request_no = tasks.request_no AND other.state <> 'erased'
  AND (other.phase = 'resolve'
    OR (other.target = tasks.target AND other.task_no < tasks.task_no
      AND (other.state = 'running'
        OR (other.state IN ('waiting', 'failed') AND other.due_time IS NOT NULL)))
    OR replace(tasks.waits_for, '"' || other.target || '"', '') <> tasks.waits_for)`;
const HAS_TO_WAIT = `EXISTS (SELECT 1 FROM @tasks AS other WHERE ${COMES_BEFORE})`;
/** For a run that was asked for after the completion, the time when it was asked for. */
const RECEIVED = 'coalesce(asked_time, received_time)';

/** Tasks with their requests; the caller appends a condition. */
export const OPEN_TASKS = `
  SELECT ${REQUEST}, ${RECEIVED} AS "receivedTime", task_no AS "taskNo", target, state, tasks.phase,
         due_time AS "dueTime", changed_time AS "changedTime", attempts, tasks.reason,
         CASE WHEN state = 'waiting' THEN NOT ${NOT_PAUSED} END AS "isPaused",
         circuits.code AS "circuitCode", circuits.detail AS "circuitDetail", lease_until AS "leaseUntil",
         CASE WHEN state = 'waiting' AND due_time IS NULL THEN ${HAS_TO_WAIT} END AS "hasToWait",
         tasks.detail
  FROM @tasks JOIN @requests USING (request_no)
  LEFT JOIN @circuits USING (target) LEFT JOIN @batches USING (batch_no, target)`;

// Tasks that are about to be tried are not read: there may be very many.
const openTasks = (after: string, order: string) => `${OPEN_TASKS}
  WHERE state <> 'erased' AND ${OF_CONTROLLER}
    AND NOT (state = 'waiting' AND circuits.code IS NULL AND ${NOT_PAUSED}
      AND ${RECEIVED} >= :receivedSince AND coalesce(tasks.reason, '') <> 'daily_cap'
      AND CASE WHEN due_time IS NULL THEN tasks.phase = 'erase' AND ${HAS_TO_WAIT}
               ELSE due_time BETWEEN :dueFrom AND :dueUntil END)
    AND ${after}
  ORDER BY ${order} LIMIT :page`;

const BY_DEADLINE = openTasks(
  `(${RECEIVED}, request_no, task_no) > (:afterTime, :afterRequest, :afterTask)`,
  `${RECEIVED}, request_no, task_no`,
);
/** In the order of an index, so that counting needs no sort. */
const BY_NUMBER = openTasks(
  '(tasks.request_no, tasks.task_no) > (:afterRequest, :afterTask)',
  'tasks.request_no, tasks.task_no',
);

/** Two ranges of an index, in its order, so that a million new requests are not read. */
const pendingWhere = (received: string) => `
  SELECT ${REQUEST}, received_time AS "receivedTime",
         coalesce((SELECT count FROM @daily_counts
           WHERE day = :today AND what = 'starts' AND whose = controller_id), 0) AS "startsToday"
  FROM @requests
  WHERE status = 'pending' AND ${received} AND ${OF_CONTROLLER}
  ORDER BY received_time, request_no LIMIT :max`;

const LATE = pendingWhere('received_time < :lateBefore');
const AHEAD = pendingWhere('received_time > :aheadAfter');

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
  ORDER BY received_time, request_no LIMIT :max`;

export async function readAttention(sql: Sql, query: AttentionQuery): Promise<AttentionLine[]> {
  const { limit } = query;
  const found = [
    ...(await tasksIn(BY_DEADLINE)(sql, query, limit)),
    ...(await findPending(sql, query, limit)),
    ...(await findWithoutTasks(sql, query, limit)),
  ];
  const first = found
    .sort((a, b) => a.receivedTime - b.receivedTime || a.requestNo - b.requestNo)
    .slice(0, limit);
  return (await withLaw(sql, first)).map(({ law, ...line }) => ({ ...withWords(line), law }));
}

interface SubmittedRow extends LawFacts {
  readonly requestNo: number;
}

export async function withLaw<
  T extends { readonly requestNo: number; readonly receivedTime: number },
>(sql: Sql, items: readonly T[]): Promise<(Omit<T, 'requestNo'> & Pick<AttentionLine, 'law'>)[]> {
  const requestNos = [...new Set(items.map(({ requestNo }) => requestNo))];
  const rows = await sql.all<SubmittedRow>(
    `SELECT request_no AS "requestNo", regulation, submitted_time AS "submittedTime",
            received_time AS "receivedTime", extended_until AS "extendedUntil"
     FROM @requests WHERE request_no = ANY(:requestNos::bigint[])`,
    { requestNos },
  );
  const byNumber = new Map(rows.map((row) => [row.requestNo, row]));
  return items.map(({ requestNo, ...item }) => {
    const row = byNumber.get(requestNo);
    if (row === undefined || row.receivedTime !== item.receivedTime) return { ...item, law: null };
    const { regulation, submittedTime, extendedUntil } = row;
    return { ...item, law: { regulation, submittedTime, extendedUntil } };
  });
}

export async function countAttention(sql: Sql, query: Query): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let left = MAX_ATTENTION_COUNTED;
  for (const find of [tasksIn(BY_NUMBER), findPending, findWithoutTasks]) {
    const found = left > 0 ? await find(sql, query, left) : [];
    for (const { reason } of found.slice(0, left))
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    left -= found.length;
  }
  return counts;
}

type Find = (sql: Sql, query: Query, max: number) => Promise<Found[]>;

export interface TaskRow extends OpenTask, RequestRow {
  readonly receivedTime: number;
  readonly taskNo: number;
}

function tasksIn(text: string): Find {
  return async (sql, query, max) => {
    const { now, controllerId = null } = query;
    const page = Math.min(MAX_PAGE, 2 * max);
    const found: Found[] = [];
    let after: Values = { afterTime: Number.MIN_SAFE_INTEGER, afterRequest: 0, afterTask: 0 };
    while (found.length < max) {
      const values = { controllerId, page, ...aboutToBeTried(now), ...after };
      const tasks = await sql.all<TaskRow>(text, values);
      for (const task of tasks) {
        const reason = reasonOfTask(task, query);
        if (reason !== null) found.push({ ...requestOf(task), ...stateOf(task, reason) });
      }
      const last = tasks.at(-1);
      if (last === undefined || tasks.length < page) break;
      const { receivedTime: afterTime, requestNo: afterRequest, taskNo: afterTask } = last;
      after = { afterTime, afterRequest, afterTask };
    }
    return found;
  };
}

export async function findPending(sql: Sql, query: Query, max: number): Promise<Found[]> {
  const { now, cancellationWindowMs, controllerId = null } = query;
  const values = {
    controllerId,
    max,
    today: dayOf(now),
    ...pendingTooLong(now, cancellationWindowMs),
  };
  type Row = RequestRow & { readonly startsToday: number };
  const rows = [...(await sql.all<Row>(LATE, values)), ...(await sql.all<Row>(AHEAD, values))];
  return rows.map((row) => ({
    ...requestOf(row),
    ...NO_TASK,
    reason: reasonOfPending(row, query),
  }));
}

async function findWithoutTasks(sql: Sql, query: Query, max: number): Promise<Found[]> {
  const { now, controllerId = null } = query;
  type Row = RequestRow & { readonly isPlanned: boolean; readonly startedTime: number | null };
  const rows = [
    ...(await sql.all<Row>(NOT_PLANNED, { controllerId })),
    ...(await sql.all<Row>(WITHOUT_TASKS, { controllerId, max })),
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

function stateOf(task: TaskRow, reason: string) {
  const { target, state } = task;
  return { target, state, reason, detail: detailOf(task, reason) };
}
