// Puts tasks on hold whose requests a legal hold is on, and lets them go on when none is any more.
import { ownWords, wordsOnHold } from '../../../domain/legal-hold/legal-hold.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import type { LeasedTask } from '../../../domain/task/fulfilment-ports.ts';
import { rowsOf, type Sql, type Transaction } from '../../sql.ts';
import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';
import { unblock } from '../tasks/add-tasks.ts';
import { LEGAL_HOLDS, requestsOnHold } from './on-hold.ts';

interface TaskRow extends RequestKey {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
  readonly connector: string;
  readonly detail: string | null;
}

const TASKS = `
  SELECT task_no AS "taskNo", request_no AS "requestNo", controller_id AS "controllerId",
         subject_request_id AS "subjectRequestId", target, connector, detail
  FROM @tasks AS tasks JOIN @all_requests AS own USING (request_no)`;

/** Tasks that nobody works on, and for which no operator has to decide something else. */
const OPEN = `(state IN ('waiting', 'failed') OR (state = 'held' AND reason = 'manual'))`;

/** Tasks that are locked are about to be leased: a lease asks itself. */
export async function holdTasksOf(
  sql: Transaction,
  requestNos: readonly number[],
  now: number,
): Promise<void> {
  if (requestNos.length === 0) return;
  await sql.lock(LEGAL_HOLDS, 'shared');
  const held = await requestsOnHold(sql, requestNos);
  if (held.size === 0) return;
  const free = await sql.all<{ taskNo: number }>(
    `SELECT task_no AS "taskNo" FROM @tasks
     WHERE request_no = ANY(:requestNos::bigint[]) AND ${OPEN} FOR UPDATE SKIP LOCKED`,
    { requestNos: [...held.keys()] },
  );
  await hold(
    sql,
    free.map(({ taskNo }) => taskNo),
    held,
    now,
  );
}

/** Those of a batch that was just leased. Returns the numbers of those that are held now. */
export async function holdLeased(
  sql: Transaction,
  tasks: readonly LeasedTask[],
  now: number,
): Promise<Set<number>> {
  const taskNos = tasks.map(({ taskNo }) => taskNo);
  await sql.lock(LEGAL_HOLDS, 'shared');
  const rows = await readTasks(sql, taskNos);
  const held = await requestsOnHold(
    sql,
    rows.map(({ requestNo }) => requestNo),
  );
  const own = rows.filter(({ requestNo }) => held.has(requestNo)).map(({ taskNo }) => taskNo);
  await hold(sql, own, held, now);
  return new Set(own);
}

/** Called with the lock alone, after a hold has ended. */
export async function resumeTasks(
  sql: Transaction,
  controllerId: string,
  now: number,
): Promise<void> {
  const locked = await sql.all<{ taskNo: number }>(
    `SELECT task_no AS "taskNo" FROM @tasks
     WHERE owner_id = :controllerId AND state = 'held' AND reason = 'legal_hold'
     ORDER BY task_no FOR UPDATE`,
    { controllerId },
  );
  const rows = await readTasks(
    sql,
    locked.map(({ taskNo }) => taskNo),
  );
  const held = await requestsOnHold(
    sql,
    rows.map(({ requestNo }) => requestNo),
  );
  const free = rows.filter(({ requestNo }) => !held.has(requestNo));
  const goOn = free.map(({ taskNo, connector, detail }) => ({
    taskNo,
    ...(connector === 'manual'
      ? { state: 'held', reason: 'manual', detail: ownWords(detail ?? '') }
      : { state: 'waiting', reason: null, detail: null }),
  }));
  await sql.run(
    `UPDATE @tasks
     SET state = it.state, reason = it.reason, detail = it.detail, changed_time = :now,
         due_time = CASE WHEN it.state = 'waiting' AND phase = 'resolve' THEN :now::bigint END
     FROM json_to_recordset(:tasks::json) AS it ("taskNo" bigint, state text, reason text, detail text)
     WHERE tasks.task_no = it."taskNo"`,
    { tasks: rowsOf(goOn), now },
  );
  await unblock(sql, [...new Set(free.map(({ requestNo }) => requestNo))], now);
}

async function hold(
  sql: Sql,
  taskNos: readonly number[],
  holdOf: ReadonlyMap<number, number>,
  now: number,
): Promise<void> {
  const rows = await readTasks(sql, taskNos);
  const held = rows.map(({ taskNo, requestNo, connector, detail }) => {
    const own = connector === 'manual' ? (detail ?? '') : null;
    return { taskNo, detail: wordsOnHold(holdOf.get(requestNo) ?? 0, own) };
  });
  await sql.run(
    `UPDATE @tasks
     SET state = 'held', due_time = NULL, batch_no = NULL, reason = 'legal_hold',
         detail = it.detail, previewed_rows = NULL, changed_time = :now
     FROM json_to_recordset(:held::json) AS it ("taskNo" bigint, detail text)
     WHERE tasks.task_no = it."taskNo"`,
    { held: rowsOf(held), now },
  );
  await appendAudit(
    sql,
    rows.map(({ target, taskNo, requestNo, controllerId, subjectRequestId }): AuditEntry => {
      const detail = { target, task: taskNo, reason: 'legal_hold', hold: holdOf.get(requestNo) };
      const entry = { time: now, actor: 'system', action: 'task.held' } as const;
      return {
        ...entry,
        requestNo,
        controllerId,
        subjectRequestId,
        detail: JSON.stringify(detail),
      };
    }),
  );
}

async function readTasks(sql: Sql, taskNos: readonly number[]): Promise<TaskRow[]> {
  if (taskNos.length === 0) return [];
  return sql.all(`${TASKS} WHERE task_no = ANY(:taskNos::bigint[]) ORDER BY task_no`, { taskNos });
}
