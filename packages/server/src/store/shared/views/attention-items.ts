// Reads what may need an operator's attention, with a limit for each kind and only through indexes, so that a million
// waiting tasks cost nothing. domain/task/attention.ts decides about each, as for the command line.

import type { AttentionItem } from '../../../domain/operator/view-ports.ts';
import {
  aboutToBeTried,
  detailOf,
  reasonOfTask,
  reasonWithoutTasks,
  withWords,
} from '../../../domain/task/attention.ts';
import type { AttentionQuery } from '../../../domain/task/operator-ports.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import type { Sql, Values } from '../../sql.ts';
import {
  findPending,
  OF_CONTROLLER,
  OPEN_TASKS,
  type TaskRow,
  withLaw,
} from '../tasks/attention.ts';
import { readCircuits } from '../tasks/circuits.ts';
import { readPauses } from '../tasks/pauses.ts';
import { HAS_DUE_TIME, waitingTargets } from '../tasks/targets-with-work.ts';
import { STUCK_STATES, stuckTasks, stuckValues, wereAllScanned } from './stuck-tasks.ts';

/** Only the oldest requests in progress are read: a stuck request becomes one of them. */
const MAX_LOOKED_AT = 2000;

const WAITING_AT = `state = 'waiting' AND ${HAS_DUE_TIME} AND target = ANY(:targets::text[])
  AND tasks.phase IN ('resolve', 'erase')`;

/** Restricts to one controller, if given, by the task's own column, so that an index can be used. */
type OfController = (query: AttentionQuery) => string;

const wanted =
  (where: string, order = ''): OfController =>
  ({ controllerId }) =>
    `${OPEN_TASKS} WHERE ${where} ${controllerId === undefined ? '' : 'AND owner_id = :controllerId'}
     ${order} LIMIT :max`;

const RUNNING = wanted("state = 'running'");
const ALL_WAITING = wanted("state = 'waiting' AND state <> 'erased'", 'ORDER BY tasks.request_no');
const AT_TARGETS = wanted(WAITING_AT);
const OVERDUE = wanted(`${WAITING_AT} AND due_time < :dueFrom`);
const FAR_AHEAD = wanted(`${WAITING_AT} AND due_time > :dueUntil`);
const TOMORROW = wanted(`${WAITING_AT} AND due_time > :now AND tasks.reason = 'daily_cap'`);
const WITHOUT_DUE_TIME = wanted(
  "state = 'waiting' AND due_time IS NULL",
  'ORDER BY tasks.request_no',
);
const LATE = wanted(`state <> 'erased' AND tasks.request_no IN (
  SELECT request_no FROM @requests WHERE status = 'in_progress' AND received_time < :receivedSince
  UNION ALL
  SELECT request_no FROM @requests WHERE again_asked_time < :receivedSince)`);

const NOT_PLANNED = `SELECT request_no FROM @requests
  WHERE status = 'in_progress' AND plan_id IS NULL ORDER BY request_no`;
const OLDEST = `SELECT request_no FROM @requests
  WHERE status = 'in_progress' ORDER BY received_time`;
const WITHOUT_TASKS = `
  SELECT request_no AS "requestNo", controller_id AS "controllerId",
         subject_request_id AS "subjectRequestId", received_time AS "receivedTime",
         plan_id IS NOT NULL AS "isPlanned", started_time AS "startedTime"
  FROM @requests WHERE request_no IN (
    SELECT request_no FROM (${NOT_PLANNED} LIMIT :max) AS planless
    UNION ALL
    SELECT request_no FROM (${OLDEST} LIMIT ${MAX_LOOKED_AT}) AS oldest)
  AND status = 'in_progress' AND ${OF_CONTROLLER} AND NOT EXISTS (
    SELECT 1 FROM @tasks WHERE tasks.request_no = requests.request_no AND state <> 'erased')`;

export async function readAttentionItems(
  sql: Sql,
  query: AttentionQuery,
): Promise<{ readonly items: AttentionItem[]; readonly capped: boolean }> {
  const { limit, controllerId = null, now } = query;
  const values: Values = {
    controllerId,
    max: limit + 1,
    now,
    ...aboutToBeTried(now),
    ...stuckValues(query),
  };
  const found = new Map<number, Listed>();
  let capped = !(await wereAllScanned(sql, query, values));
  for (const { text, targets } of await tasksToRead(sql, query)) {
    const rows = await sql.all<TaskRow>(text(query), { ...values, targets });
    if (rows.length > limit) capped = true;
    for (const row of rows.slice(0, limit)) {
      const reason = reasonOfTask(row, query);
      if (reason !== null) found.set(row.taskNo, listedOf(row, reason));
    }
  }
  const pending = await findPending(sql, query, limit + 1);
  const others = [
    ...pending.map((it) => ({ ...it, ...NO_TASK })),
    ...(await withoutTasks(sql, query)),
  ];
  if (others.length > limit) capped = true;
  const items = [
    ...found.values(),
    ...others.slice(0, limit).map((it) => withWords(it) as Listed),
  ].sort((a, b) => a.receivedTime - b.receivedTime);
  return { items: await withLaw(sql, items), capped };
}

type Listed = Omit<AttentionItem, 'law'> & { readonly requestNo: number };

interface TasksToRead {
  readonly text: OfController;
  readonly targets: readonly string[];
}

async function tasksToRead(sql: Sql, query: AttentionQuery): Promise<TasksToRead[]> {
  const open = await sql.get<{ open: number }>(
    'SELECT 1 AS open FROM @restores WHERE confirmed_time IS NULL',
  );
  const scopes = (await readPauses(sql)).map(({ scope }) => scope);
  const down = (await readCircuits(sql)).map(({ target }) => target);
  const targets = asked(query, await waitingTargets(sql));
  const isAllPaused = scopes.includes(EVERYTHING) || open !== undefined;
  const paused = asked(query, scopes);
  // Each with its own limit: many that are paused do not hide those that are down.
  const troubled = [paused, asked(query, down).filter((it) => !paused.includes(it))];
  const always = [...STUCK_STATES.map(stuckTasks), RUNNING, WITHOUT_DUE_TIME, LATE];
  return [
    ...always.map((text) => ({ text, targets: [] })),
    ...(isAllPaused ? [waitingWhilePaused(query, targets)] : []),
    ...troubled
      .filter(({ length }) => length > 0)
      .map((some) => ({ text: AT_TARGETS, targets: some })),
    ...(targets.length === 0
      ? []
      : [OVERDUE, FAR_AHEAD, TOMORROW].map((text) => ({ text, targets }))),
  ];
}

function asked({ only }: AttentionQuery, targets: readonly string[]): readonly string[] {
  return only?.target === undefined ? targets : targets.filter((it) => it === only.target);
}

/** Tasks of one controller are found target by target; otherwise all tasks are read, oldest first. */
function waitingWhilePaused(
  { controllerId }: AttentionQuery,
  targets: readonly string[],
): TasksToRead {
  return controllerId === undefined
    ? { text: ALL_WAITING, targets: [] }
    : { text: AT_TARGETS, targets };
}

const NO_TASK = { taskNo: null, changedTime: null, attempts: null };

function listedOf(row: TaskRow, reason: string): Listed {
  const { controllerId, subjectRequestId, receivedTime, target, state } = row;
  const line = withWords({
    controllerId,
    subjectRequestId,
    receivedTime,
    target,
    state,
    detail: detailOf(row, reason),
    reason,
  });
  const { requestNo, taskNo, changedTime, attempts } = row;
  return { ...line, requestNo, taskNo, changedTime, attempts };
}

type WithoutTasks = Pick<
  TaskRow,
  'requestNo' | 'controllerId' | 'subjectRequestId' | 'receivedTime'
> & {
  readonly isPlanned: boolean;
  readonly startedTime: number | null;
};

async function withoutTasks(sql: Sql, query: AttentionQuery) {
  const { now, limit } = query;
  const controllerId = query.controllerId ?? null;
  const rows = await sql.all<WithoutTasks>(WITHOUT_TASKS, { controllerId, max: limit + 1 });
  return rows.flatMap(({ isPlanned, startedTime, ...request }) => {
    const reason = reasonWithoutTasks({ isPlanned, startedTime }, now);
    const none = { ...NO_TASK, target: null, state: 'pending' as const, detail: null };
    return reason === null ? [] : [{ ...request, ...none, reason }];
  });
}
