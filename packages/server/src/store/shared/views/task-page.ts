// A page of open tasks, oldest request first. No page reads more than a fixed number of rows.
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type {
  ListedTask,
  TaskPageQuery,
  TaskPlace,
  ViewPage,
} from '../../../domain/operator/view-ports.ts';
import type { TaskState } from '../../../domain/task/task.ts';
import { conditionsOf, type Sql } from '../../sql.ts';
import { TASK, type TaskRow, taskOf } from '../tasks/task-catalogue.ts';

const MAX_SCANNED = 20_000;

/** Conditions in the exact form of the indexes that have this order. */
const IN_STATE: Readonly<Record<Exclude<TaskState, 'erased'>, string>> = {
  held: "state = 'held' AND state IN ('held', 'failed')",
  failed: "state = 'failed' AND state IN ('held', 'failed')",
  running: "state = 'running'",
  waiting: "state = 'waiting' AND state <> 'erased'",
};

const CONDITIONS = {
  target: 'target = :target',
  reason: 'reason = :reason',
  // The controller of the request is copied to every open task.
  controllerId: 'owner_id = :controllerId',
};

/** The order of the index. Running tasks are few: adding 0 keeps the planner from reading this index for them. */
const orderOf = (state: TaskState | undefined) =>
  state === 'running' ? '(request_no + 0)' : 'request_no';

const afterIn = (order: string) => `${order} >= :afterRequest
  AND (${order} > :afterRequest OR task_no > :afterTask)`;

export async function readTaskPage(
  sql: Sql,
  query: TaskPageQuery,
  macs: RowMacs,
): Promise<ViewPage<ListedTask, TaskPlace>> {
  const { state, after, limit } = query;
  const isOpen = state === undefined ? "state <> 'erased'" : IN_STATE[state];
  const filter = conditionsOf(query, CONDITIONS);
  const order = orderOf(state);
  const values = {
    ...query,
    afterRequest: after?.requestNo ?? 0,
    afterTask: after?.taskNo ?? 0,
    wanted: limit + 1,
  };
  const scanned = `SELECT task_no, request_no, target, reason, owner_id FROM @tasks
    WHERE ${isOpen} AND ${afterIn(order)} ORDER BY ${order}, task_no`;
  const rows = await sql.all<TaskRow & { readonly requestNo: number }>(
    `SELECT ${TASK}, request_no AS "requestNo" FROM (
       SELECT task_no FROM (${scanned} LIMIT ${MAX_SCANNED}) AS scanned
       WHERE ${filter} ORDER BY request_no, task_no LIMIT :wanted) AS wanted
     JOIN @tasks USING (task_no) JOIN @all_requests AS requests USING (request_no)
     LEFT JOIN @intents USING (task_no)
     ORDER BY request_no, task_no`,
    values,
  );
  const items = rows.slice(0, limit).map((row) => taskOf(row, macs));
  const last = items.at(-1);
  if (rows.length > limit && last !== undefined) return { items, next: placeOf(last) };
  if (filter === 'true') return { items, next: null };
  const end = await sql.get<TaskPlace>(
    `SELECT request_no AS "requestNo", task_no AS "taskNo" FROM (${scanned}
       LIMIT 1 OFFSET ${MAX_SCANNED - 1}) AS last`,
    values,
  );
  return { items, next: end ?? null };
}

function placeOf({ requestNo, taskNo }: TaskPlace): TaskPlace {
  return { requestNo, taskNo };
}

/** For each request, the number of open tasks in each state. */
export async function readOpenTasks(
  sql: Sql,
  requestNos: readonly number[],
): Promise<Map<number, Map<TaskState, number>>> {
  const counts = new Map<number, Map<TaskState, number>>();
  if (requestNos.length === 0) return counts;
  const rows = await sql.all<{ requestNo: number; state: TaskState; count: number }>(
    `SELECT request_no AS "requestNo", state, count(*) AS count FROM @tasks
     WHERE request_no = ANY(:requestNos::bigint[]) AND state <> 'erased'
     GROUP BY request_no, state`,
    { requestNos },
  );
  for (const { requestNo, state, count } of rows) {
    const own = counts.get(requestNo) ?? new Map<TaskState, number>();
    counts.set(requestNo, own.set(state, count));
  }
  return counts;
}
