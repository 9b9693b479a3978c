// What operators do to tasks: release, retain, confirm. Each ends a hold, in the name of a person. Each runs
// inside the caller's transaction and holds the request, then the task: no worker takes it meanwhile, and
// where one was first, that is what is seen.
import type { Actor } from '../../domain/operator-ports.ts';
import { releasedRows } from '../../domain/released-rows.ts';
import type { RequestKey } from '../../domain/request.ts';
import type { Evidence } from '../../domain/task.ts';
import { type AuditEntry, appendAudit } from '../shared/audit/append-audit.ts';
import { storedJson } from '../stored-text.ts';
import {
  auditOfRetaining,
  auditOfTask,
  confirmedAs,
  evidenceOfEnd,
  noTask,
  type OperatedTask,
  releasedTo,
  requireConfirmable,
  requireReleasable,
  requireRetainable,
  retainedAs,
} from '../task-rules.ts';
import { countDaily } from './daily-counts.ts';
import type { Sql } from './database.ts';
import { voidIntent } from './record-intents.ts';
import { settleRequests } from './settle-requests.ts';
import { unblock } from './unblock.ts';

export async function release(sql: Sql, taskNo: number, by: Actor): Promise<void> {
  const task = await holdTask(sql, taskNo);
  requireReleasable(task);
  const { requestNo, reason } = task;
  const rows = releasedRows(task);
  const { phase, dueTime } = releasedTo(task, by.now);
  await sql.run(
    `UPDATE @tasks
     SET state = 'waiting', phase = $2, due_time = $3, allowed_rows = $4, reason = NULL,
         detail = NULL, changed_time = $5
     WHERE task_no = $1`,
    [taskNo, phase, dueTime, rows, by.now],
  );
  const detail = { reason, rows };
  if (task.reason === 'unsettled') await voidIntent(sql, taskNo);
  await appendAudit(sql, [{ ...auditOfTask(task, 'task.released', detail, by), requestNo }]);
  await unblock(sql, [requestNo], by.now);
}

export async function retain(
  sql: Sql,
  taskNo: number,
  why: { readonly reason: string; readonly legalBasis: string },
  by: Actor,
): Promise<void> {
  const task = await holdTask(sql, taskNo);
  requireRetainable(task);
  const audit = auditOfTask(task, 'task.retained', auditOfRetaining(task, why), by);
  await end(sql, task, evidenceOfEnd(task, retainedAs(why), by), audit, by);
}

export async function confirm(sql: Sql, taskNo: number, note: string, by: Actor): Promise<void> {
  const task = await holdTask(sql, taskNo);
  requireConfirmable(task);
  const audit = auditOfTask(task, 'task.confirmed', {}, by);
  await end(sql, task, evidenceOfEnd(task, confirmedAs(note), by), audit, by);
}

async function end(
  sql: Sql,
  { taskNo, requestNo }: OperatedTask,
  evidence: Evidence,
  audit: AuditEntry,
  { now }: Actor,
): Promise<void> {
  await sql.run(
    `UPDATE @tasks
     SET state = 'erased', due_time = NULL, reason = NULL, detail = NULL, evidence = $2,
         changed_time = $3
     WHERE task_no = $1`,
    [taskNo, storedJson(evidence), now],
  );
  await unblock(sql, [requestNo], now);
  const settled = await settleRequests(sql, [requestNo], now);
  await appendAudit(sql, [{ ...audit, requestNo }, ...settled.entries]);
  await countDaily(sql, settled.counts);
}

/** The request of a task that is done may be archived; then there is nothing to hold. */
async function holdTask(sql: Sql, taskNo: number): Promise<OperatedTask> {
  const request =
    (await sql.get<RequestKey>(
      `SELECT controller_id AS "controllerId", subject_request_id AS "subjectRequestId"
       FROM @requests WHERE request_no = (SELECT request_no FROM @tasks WHERE task_no = $1)
       FOR UPDATE`,
      [taskNo],
    )) ??
    (await sql.get<RequestKey>(
      `SELECT controller_id AS "controllerId", subject_request_id AS "subjectRequestId"
       FROM @archived_requests
       WHERE request_no = (SELECT request_no FROM @tasks WHERE task_no = $1)`,
      [taskNo],
    ));
  if (request === undefined) throw noTask(taskNo);
  const task = await sql.get<Omit<OperatedTask, keyof RequestKey>>(
    `SELECT task_no AS "taskNo", request_no AS "requestNo", target, connector, state, phase, reason,
            attempts, previewed_rows AS "previewedRows", reported
     FROM @tasks WHERE task_no = $1 FOR UPDATE`,
    [taskNo],
  );
  if (task === undefined) throw noTask(taskNo);
  return { ...request, ...task };
}
