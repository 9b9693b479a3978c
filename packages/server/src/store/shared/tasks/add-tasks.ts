import type { NewTask } from '../../../domain/task/new-task.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { rowsOf, type Sql } from '../../sql.ts';

/** In their order, each as the next run at its target. `asked`: by an operator, after the completion. */
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
        changed_time, asked_time, asked_by, owner_id)
     SELECT "requestNo", target,
            1 + (SELECT coalesce(max(run), 0) FROM @tasks AS before
              WHERE before.request_no = added."requestNo" AND before.target = added.target),
            connector, phase, resolves, state, "dueTime", reason, detail, :now::bigint,
            :askedTime::bigint, :askedBy::text,
            coalesce((SELECT controller_id FROM @requests AS own
              WHERE own.request_no = added."requestNo"), '')
     FROM json_to_recordset(:tasks::json) AS added
       ("requestNo" bigint, target text, connector text, phase text, resolves integer, state text,
        "dueTime" bigint, reason text, detail text)`,
    { tasks: rowsOf(tasks), now, askedTime: asked?.now ?? null, askedBy: asked?.actor ?? null },
  );
}

/** Inside a transaction that has locked these requests. When the last target has resolved, all of them may erase. */
export async function unblock(sql: Sql, requestNos: readonly number[], now: number): Promise<void> {
  await sql.run(
    `UPDATE @tasks SET due_time = :now
     WHERE request_no = ANY(:requestNos::bigint[]) AND phase = 'erase' AND state = 'waiting'
       AND due_time IS NULL AND NOT EXISTS (
         SELECT 1 FROM @tasks AS other WHERE other.request_no = tasks.request_no
           AND other.phase = 'resolve' AND other.state <> 'erased')`,
    { requestNos, now },
  );
}
