// Operators' actions on tasks: release, retain, confirm. Each ends a hold and records the operator's name.
// Each runs in the caller's transaction and locks the request, then the task: so no worker can lease the
// task meanwhile, and if a worker was first, that is visible here.

import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import { type RowMacs, releaseClaim } from '../../../domain/keys/row-macs.ts';
import { requireNotOnHold } from '../../../domain/legal-hold/legal-hold.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { releasedRows, rowsKeptByRelease } from '../../../domain/task/released-rows.ts';
import type { Evidence } from '../../../domain/task/task.ts';
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
  requireSeen,
  retainedAs,
} from '../../../domain/task/task-rules.ts';
import type { Sql, Transaction } from '../../sql.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { LEGAL_HOLDS, requestsOnHold } from '../legal-holds/on-hold.ts';
import { hasAddedIdentities, lookUpAnew } from '../requests/look-up-anew.ts';
import { settleRequests, writeSettled } from '../requests/settle-requests.ts';
import { unblock } from './add-tasks.ts';
import { grantOf, readAskedAgain } from './asked-again.ts';
import { forgetTransactions, openTransactions } from './erasing-transactions.ts';
import { digestEvidence, evidenceText } from './evidence-text.ts';
import { countedRows, requireRowsOfLog } from './logged-holds.ts';

export async function release(
  sql: Transaction,
  macs: RowMacs,
  taskNo: number,
  by: Actor,
): Promise<void> {
  await sql.lock(LEGAL_HOLDS, 'shared');
  const task = await lockTask(sql, taskNo, by);
  requireReleasable(task, by);
  await requireFree(sql, task);
  const { requestNo, reason } = task;
  const { now } = by;
  const rows = releasedRows(task);
  const without = rowsKeptByRelease(task);
  if (rows !== null || without !== null) await requireRowsOfLog(sql, task);
  const to = releasedTo(task, await hasAddedIdentities(sql, requestNo), now);
  const mac = rows === null ? null : macs.compute(releaseClaim({ ...task, allowedRows: rows }));
  await sql.run(
    `UPDATE @tasks
     SET state = 'waiting', phase = :phase, due_time = :dueTime, allowed_rows = :rows,
         release_mac = :mac, reason = NULL, detail = NULL, changed_time = :now
     WHERE task_no = :taskNo`,
    { taskNo, ...to, rows, mac, now },
  );
  const asked = await readAskedAgain(sql, requestNo);
  const again = reason === 'unproven_identity' ? await lookUpAnew(sql, task, now, asked) : [];
  const detail = {
    task: taskNo,
    reason,
    rows,
    ...(reason === 'unproven_identity' && { without, ...grantOf(again, asked !== null) }),
  };
  await appendAudit(sql, [{ ...auditOfTask(task, 'task.released', detail, by), requestNo }]);
  await unblock(sql, [requestNo], now);
}

export async function retain(
  sql: Sql,
  taskNo: number,
  why: { readonly reason: string; readonly legalBasis: string },
  by: Actor,
): Promise<void> {
  const task = await lockTask(sql, taskNo, by);
  requireRetainable(task);
  const evidence = evidenceOfEnd(task, retainedAs(why, await countedRows(sql, task)), by);
  const detail = auditOfRetaining(task, why);
  await end(sql, task, { evidence, action: 'task.retained', detail }, by);
}

export async function confirm(
  sql: Transaction,
  taskNo: number,
  note: string,
  by: Actor,
): Promise<void> {
  await sql.lock(LEGAL_HOLDS, 'shared');
  const task = await lockTask(sql, taskNo, by);
  await requireFree(sql, task);
  requireConfirmable(task);
  const evidence = evidenceOfEnd(task, confirmedAs(note), by);
  await end(sql, task, { evidence, action: 'task.confirmed', detail: {} }, by);
}

async function requireFree(sql: Sql, { requestNo }: OperatedTask): Promise<void> {
  requireNotOnHold((await requestsOnHold(sql, [requestNo])).get(requestNo));
}

interface End {
  readonly evidence: Evidence;
  readonly action: AuditAction;
  /** Of the audit row. */
  readonly detail: object;
}

async function end(
  sql: Sql,
  task: OperatedTask,
  { evidence, action, detail }: End,
  by: Actor,
): Promise<void> {
  const { taskNo, requestNo } = task;
  const { now } = by;
  const text = evidenceText(evidence);
  await sql.run(
    `UPDATE @tasks
     SET state = 'erased', due_time = NULL, reason = NULL, detail = NULL, evidence = :evidence,
         changed_time = :now
     WHERE task_no = :taskNo`,
    { taskNo, evidence: text, now },
  );
  await forgetTransactions(sql, task.target, [taskNo]);
  await unblock(sql, [requestNo], now);
  const proven = { task: taskNo, ...detail, evidence: digestEvidence(text) };
  await appendAudit(sql, [{ ...auditOfTask(task, action, proven, by), requestNo }]);
  await writeSettled(sql, await settleRequests(sql, [requestNo], now));
}

async function lockTask(sql: Sql, taskNo: number, by: Actor): Promise<OperatedTask> {
  const request = await lockRequestOf(sql, taskNo);
  const task = await sql.get<Omit<OperatedTask, keyof OwnerOfTask | 'recorded'>>(
    `SELECT task_no AS "taskNo", request_no AS "requestNo", target, connector, state, phase, reason,
            attempts, previewed_rows AS "previewedRows", reported, changed_time AS "changedTime"
     FROM @tasks WHERE task_no = :taskNo FOR UPDATE`,
    { taskNo },
  );
  if (request === undefined || task === undefined) throw noTask(taskNo);
  requireSeen(task, by);
  const [begun] = await openTransactions(sql, task.target, [taskNo]);
  return { ...request, ...task, recorded: begun?.tables.get(taskNo) ?? null };
}

type OwnerOfTask = RequestKey & Pick<OperatedTask, 'createdBy'>;

async function lockRequestOf(sql: Sql, taskNo: number): Promise<OwnerOfTask | undefined> {
  for (const table of sql.dialect.requestTables) {
    const request = await sql.get<OwnerOfTask>(
      `SELECT controller_id AS "controllerId", subject_request_id AS "subjectRequestId",
              created_by AS "createdBy"
       FROM ${table} WHERE request_no = (SELECT request_no FROM @tasks WHERE task_no = :taskNo)
       FOR UPDATE`,
      { taskNo },
    );
    if (request !== undefined) return request;
  }
  return undefined;
}
