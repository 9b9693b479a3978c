// What operators do to tasks: release, retain, confirm. Each ends a hold, in the name of a person.
import type { DatabaseSync } from 'node:sqlite';
import type { AuditAction } from '../../domain/audit-row.ts';
import { type Actor, NotPossible } from '../../domain/operator-ports.ts';
import type { RequestKey } from '../../domain/request.ts';
import type { Evidence, TaskPhase, TaskState } from '../../domain/task.ts';
import type { AppendAudit } from './audit.ts';
import { prepareUnblock } from './record-outcomes.ts';
import { prepareSettleRequests } from './settle-requests.ts';

interface TaskRow extends RequestKey {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
  readonly connector: string;
  readonly state: TaskState;
  readonly phase: TaskPhase;
  readonly reason: string | null;
  readonly attempts: number;
  readonly previewedRows: number | null;
}

/** Each runs inside the caller's transaction. */
export function prepareOperateTasks(database: DatabaseSync, appendAudit: AppendAudit) {
  const settleRequests = prepareSettleRequests(database, appendAudit);
  const unblock = prepareUnblock(database);
  const select = database.prepare(`
    SELECT task_no AS taskNo, request_no AS requestNo, controller_id AS controllerId,
           subject_request_id AS subjectRequestId, target, connector, state, phase, reason, attempts,
           previewed_rows AS previewedRows
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

  function read(taskNo: number): TaskRow {
    const row = select.get(taskNo) as unknown as TaskRow | undefined;
    if (row === undefined) throw new NotPossible(`there is no task ${taskNo}`);
    return row;
  }

  function audit(task: TaskRow, action: AuditAction, detail: object, { actor, now }: Actor): void {
    const { controllerId, subjectRequestId, requestNo, target } = task;
    const text = JSON.stringify({ target, ...detail });
    appendAudit(
      { time: now, actor, action, controllerId, subjectRequestId, detail: text },
      requestNo,
    );
  }

  function end(task: TaskRow, evidence: EndOfTask, by: Actor): void {
    const time = new Date(by.now).toISOString();
    const whole: Evidence = {
      connector: task.connector,
      tables: {},
      attempts: task.attempts,
      started_time: time,
      finished_time: time,
      by: by.actor,
      ...evidence,
    };
    finish.run({ taskNo: task.taskNo, evidence: JSON.stringify(whole), now: by.now });
    unblock(task.requestNo, by.now);
    settleRequests([task.requestNo], by.now);
  }

  return {
    release(taskNo: number, by: Actor): void {
      const task = read(taskNo);
      requireState(task, ['held'], 'released');
      if (task.reason === 'manual') {
        throw new NotPossible(`task ${taskNo} is for a person to do: confirm it, or retain`);
      }
      if (task.reason === 'no_usable_identity') {
        throw new NotPossible(
          `task ${taskNo} has no identity to work with: add one (unwrite request identify), or retain`,
        );
      }
      // Out of the resolving: on without derived identities, when the others have resolved. But a
      // target that was only missing has not resolved yet, and would leave people's data elsewhere.
      const resolves = task.phase === 'resolve' && task.reason === 'target_removed';
      release.run({
        taskNo,
        phase: resolves ? 'resolve' : 'erase',
        dueTime: resolves ? by.now : null,
        allowedRows: task.previewedRows,
        now: by.now,
      });
      audit(task, 'task.released', { reason: task.reason, rows: task.previewedRows }, by);
      unblock(task.requestNo, by.now);
    },

    retain(taskNo: number, why: { reason: string; legalBasis: string }, by: Actor): void {
      const task = read(taskNo);
      requireState(task, ['held', 'failed', 'waiting'], 'retained');
      audit(task, 'task.retained', { legal_basis: why.legalBasis }, by);
      const { reason, legalBasis } = why;
      end(
        task,
        { action: 'retained', verified: 'not applicable', note: reason, legal_basis: legalBasis },
        by,
      );
    },

    confirm(taskNo: number, note: string, by: Actor): void {
      const task = read(taskNo);
      if (task.state !== 'held' || task.reason !== 'manual') {
        throw new NotPossible(
          `task ${taskNo} is not waiting for a person to do it (it is ${task.state}); only such tasks are confirmed`,
        );
      }
      audit(task, 'task.confirmed', {}, by);
      end(task, { action: 'confirmed', verified: 'confirmed by a person', note }, by);
    },
  };
}

type EndOfTask = Pick<Evidence, 'action' | 'verified'> & Partial<Evidence>;

function requireState(task: TaskRow, states: readonly TaskState[], done: string): void {
  if (states.includes(task.state)) return;
  throw new NotPossible(
    `task ${task.taskNo} is ${task.state}; only ${states.join(' or ')} tasks can be ${done}`,
  );
}
