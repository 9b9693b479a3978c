// What operators do to tasks: release, retain, confirm. Each ends a hold, in the name of a person.
import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../../domain/operator-ports.ts';
import { releasedRows } from '../../domain/released-rows.ts';
import type { Evidence } from '../../domain/task.ts';
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
import type { AppendAudit } from './audit.ts';
import { prepareVoidIntent } from './record-intents.ts';
import { prepareUnblock } from './record-outcomes.ts';
import { prepareSettleRequests } from './settle-requests.ts';

/** Each runs inside the caller's transaction. */
export function prepareOperateTasks(database: DatabaseSync, appendAudit: AppendAudit) {
  const settleRequests = prepareSettleRequests(database, appendAudit);
  const unblock = prepareUnblock(database);
  const voidIntent = prepareVoidIntent(database);
  const select = database.prepare(`
    SELECT task_no AS taskNo, request_no AS requestNo, controller_id AS controllerId,
           subject_request_id AS subjectRequestId, target, connector, state, phase, reason, attempts,
           previewed_rows AS previewedRows, reported
    FROM tasks JOIN requests USING (request_no) WHERE task_no = ?
  `);
  const release = database.prepare(`
    UPDATE tasks
    SET state = 'waiting', phase = :phase, due_time = :dueTime, allowed_rows = :allowedRows,
        reason = NULL, detail = NULL, changed_time = :now
    WHERE task_no = :taskNo AND state = 'held'
  `);
  const finish = database.prepare(`
    UPDATE tasks
    SET state = 'erased', due_time = NULL, reason = NULL, detail = NULL, evidence = :evidence,
        changed_time = :now
    WHERE task_no = :taskNo AND state IN ('held', 'failed', 'waiting')
  `);

  function read(taskNo: number): OperatedTask {
    const row = select.get(taskNo) as unknown as OperatedTask | undefined;
    if (row === undefined) throw noTask(taskNo);
    return row;
  }

  function end(task: OperatedTask, evidence: Evidence, { now }: Actor): void {
    finish.run({ taskNo: task.taskNo, evidence: JSON.stringify(evidence), now });
    unblock(task.requestNo, now);
    settleRequests([task.requestNo], now);
  }

  return {
    release(taskNo: number, by: Actor): void {
      const task = read(taskNo);
      requireReleasable(task);
      const { requestNo, reason } = task;
      const { now } = by;
      const rows = releasedRows(task);
      release.run({ taskNo, ...releasedTo(task, now), allowedRows: rows, now });
      if (reason === 'unsettled') voidIntent(taskNo);
      appendAudit(auditOfTask(task, 'task.released', { reason, rows }, by), requestNo);
      unblock(requestNo, now);
    },

    retain(taskNo: number, why: { reason: string; legalBasis: string }, by: Actor): void {
      const task = read(taskNo);
      requireRetainable(task);
      appendAudit(
        auditOfTask(task, 'task.retained', auditOfRetaining(task, why), by),
        task.requestNo,
      );
      end(task, evidenceOfEnd(task, retainedAs(why), by), by);
    },

    confirm(taskNo: number, note: string, by: Actor): void {
      const task = read(taskNo);
      requireConfirmable(task);
      appendAudit(auditOfTask(task, 'task.confirmed', {}, by), task.requestNo);
      end(task, evidenceOfEnd(task, confirmedAs(note), by), by);
    },
  };
}
