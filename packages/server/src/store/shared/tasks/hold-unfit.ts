// Tasks that a worker has taken and that the audit log says otherwise of: a person has to look.
import { rowsOf, type Sql } from '../../sql.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { UnfitTask } from './leased-tasks.ts';

/** Inside the caller's transaction. */
export async function holdUnfit(
  sql: Sql,
  batchNo: number,
  unfit: readonly UnfitTask[],
  now: number,
): Promise<void> {
  const reason = 'not_in_log';
  const held = unfit.map(({ taskNo, problem }) => ({ taskNo, detail: detailOf(problem) }));
  await sql.run(
    `UPDATE @tasks
     SET state = 'held', due_time = NULL, batch_no = NULL, reason = '${reason}', detail = it.detail,
         changed_time = :now
     FROM json_to_recordset(:held::json) AS it ("taskNo" bigint, detail text)
     WHERE tasks.task_no = it."taskNo"`,
    { held: rowsOf(held), now },
  );
  await sql.run(
    `DELETE FROM @batches WHERE batch_no = :batchNo
       AND NOT EXISTS (SELECT 1 FROM @tasks WHERE batch_no = :batchNo AND state = 'running')`,
    { batchNo },
  );
  await appendAudit(
    sql,
    unfit.map(({ requestNo, controllerId, subjectRequestId, target, problem }) => ({
      ...{ time: now, actor: 'system', action: 'task.held' as const, requestNo },
      ...{ controllerId, subjectRequestId },
      detail: JSON.stringify({ target, reason, detail: problem }),
    })),
  );
  for (const { taskNo, problem } of unfit) {
    sql.rowMacs.refuse({ kind: 'task', id: String(taskNo) }, problem);
  }
}

function detailOf(problem: string): string {
  return `the audit log says otherwise: ${problem}. Somebody has written to the database: see who can, put back what was changed, from a backup, then release; or retain`;
}
