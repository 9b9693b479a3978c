import type { NewTask } from '../../../domain/task/new-task.ts';
import { type TaskStanding, unblockedTasks } from '../../../domain/task/open-tasks.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { rowsOf, type Sql } from '../../sql.ts';

/**
 * Adds the tasks in order, each as the next run at its target. `asked`: an operator asked for it after the
 * completion.
 */
export async function addTasks(
  sql: Sql,
  tasks: readonly NewTask[],
  now: number,
  asked: Actor | null = null,
): Promise<void> {
  if (tasks.length === 0) return;
  await sql.run(
    `INSERT INTO @tasks
       (request_no, target, run, connector, phase, resolves, state, due_time, reason, detail,
        changed_time, asked_time, asked_by, waits_for, owner_id)
     SELECT "requestNo", target,
            1 + (SELECT coalesce(max(run), 0) FROM @tasks AS before
              WHERE before.request_no = added."requestNo" AND before.target = added.target),
            connector, phase, resolves, state, "dueTime", reason, detail, :now::bigint,
            :askedTime::bigint, :askedBy::text, "waitsFor",
            coalesce((SELECT controller_id FROM @requests AS own
              WHERE own.request_no = added."requestNo"), '')
     FROM json_to_recordset(:tasks::json) AS added
       ("requestNo" bigint, target text, connector text, phase text, resolves integer, state text,
        "dueTime" bigint, reason text, detail text, "waitsFor" text)`,
    { tasks: rowsOf(tasks), now, askedTime: asked?.now ?? null, askedBy: asked?.actor ?? null },
  );
}

/** Runs in a transaction that has locked these requests. */
export async function unblock(sql: Sql, requestNos: readonly number[], now: number): Promise<void> {
  const tasks = await readStandings(sql, requestNos);
  await makeDue(sql, unblockedTasks(tasks), now);
}

/** Called after tasks have ended. Only requests in which a task waits for another are read. */
export async function unblockWaiting(
  sql: Sql,
  requestNos: readonly number[],
  now: number,
): Promise<void> {
  const rows = await sql.all<{ requestNo: number }>(
    `SELECT DISTINCT request_no AS "requestNo" FROM @tasks
     WHERE request_no = ANY(:requestNos::bigint[]) AND state = 'waiting' AND due_time IS NULL`,
    { requestNos },
  );
  if (rows.length > 0)
    await unblock(
      sql,
      rows.map(({ requestNo }) => requestNo),
      now,
    );
}

/** The tasks that are not done. */
export function readStandings(sql: Sql, requestNos: readonly number[]): Promise<TaskStanding[]> {
  return sql.all(
    `SELECT task_no AS "taskNo", request_no AS "requestNo", target, state, phase,
            due_time AS "dueTime", waits_for AS "waitsFor"
     FROM @tasks AS tasks WHERE request_no = ANY(:requestNos::bigint[]) AND state <> 'erased'`,
    { requestNos },
  );
}

export async function makeDue(sql: Sql, taskNos: readonly number[], now: number): Promise<void> {
  if (taskNos.length === 0) return;
  await sql.run('UPDATE @tasks SET due_time = :now WHERE task_no = ANY(:taskNos::bigint[])', {
    taskNos,
    now,
  });
}
