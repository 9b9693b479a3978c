// Holds leased tasks that contradict the audit log, so that an operator decides.
import { retainedBefore } from '../../../domain/task/new-task.ts';
import { rowsOf, type Sql } from '../../sql.ts';
import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';
import { endBatch } from './end-batch.ts';
import type { UnfitTask } from './leased-tasks.ts';

/** Runs in the caller's transaction. */
export async function holdUnfit(
  sql: Sql,
  batchNo: number,
  unfit: readonly UnfitTask[],
  now: number,
): Promise<void> {
  await holdAs(sql, unfit, now);
  await endBatch(sql, batchNo);
  await appendAudit(sql, heldAs(unfit, now));
  for (const { taskNo, problem } of unfit) {
    if (problem !== null) sql.rowMacs.refuse({ kind: 'task', id: String(taskNo) }, problem);
  }
}

/** Evidence of an end that the log does not have says nothing. */
export async function holdAs(sql: Sql, unfit: readonly UnfitTask[], now: number): Promise<void> {
  const held = unfit.map(({ taskNo, problem }) => ({ taskNo, ...holdOf(problem) }));
  await sql.run(
    `UPDATE @tasks
     SET state = 'held', due_time = NULL, batch_no = NULL, reason = it.reason, detail = it.detail,
         evidence = NULL, changed_time = :now
     FROM json_to_recordset(:held::json) AS it ("taskNo" bigint, reason text, detail text)
     WHERE tasks.task_no = it."taskNo"`,
    { held: rowsOf(held), now },
  );
}

export function heldAs(unfit: readonly UnfitTask[], now: number): AuditEntry[] {
  return unfit.map(({ requestNo, controllerId, subjectRequestId, target, problem }) => ({
    time: now,
    actor: 'system',
    action: 'task.held' as const,
    requestNo,
    controllerId,
    subjectRequestId,
    detail: JSON.stringify({ target, reason: holdOf(problem).reason, detail: problem }),
  }));
}

function holdOf(problem: string | null): { readonly reason: string; readonly detail: string } {
  if (problem === null) return retainedBefore('this target was retained before');
  const detail = `the audit log says otherwise: ${problem}. Somebody has written to the database: see who can, put back what was changed, from a backup, then release; or retain`;
  return { reason: 'not_in_log', detail };
}
