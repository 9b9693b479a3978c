import type { DatabaseSync } from 'node:sqlite';
import type { BatchLease, DerivedIdentities } from '../../domain/fulfilment-ports.ts';
import type { RequestKey } from '../../domain/request.ts';
import type { TaskOutcome } from '../../domain/task.ts';
import { type CountedTask, countOutcomes } from '../count-outcomes.ts';
import { auditOfOutcome, columnsOf, intentEndOf } from '../outcome-columns.ts';
import type { AppendAudit } from './audit.ts';
import { prepareCountDaily } from './daily-counts.ts';
import { prepareEndIntent } from './record-intents.ts';
import { prepareSettleRequests } from './settle-requests.ts';

interface TaskRow extends RequestKey, CountedTask {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
  readonly reason: string | null;
}

/** Inside the caller's transaction, behind the fence. */
export function prepareRecordOutcomes(database: DatabaseSync, appendAudit: AppendAudit) {
  const settleRequests = prepareSettleRequests(database, appendAudit);
  const countDaily = prepareCountDaily(database);
  const addIdentities = prepareAddDerived(database);
  const endIntent = prepareEndIntent(database);
  const unblock = prepareUnblock(database);
  const selectTasks = database.prepare(`
    SELECT task_no AS taskNo, request_no AS requestNo, controller_id AS controllerId,
           subject_request_id AS subjectRequestId, target, reason,
           reserved_day AS reservedDay, reserved_rows AS reservedRows
    FROM tasks JOIN requests USING (request_no)
    WHERE batch_no = ? AND state = 'running'
  `);
  const update = database.prepare(`
    UPDATE tasks
    SET state = :state, phase = coalesce(:phase, phase), due_time = :dueTime, reason = :reason,
        detail = :detail, previewed_rows = coalesce(:previewedRows, previewed_rows),
        evidence = :evidence, reported = coalesce(:reported, reported), batch_no = NULL, changed_time = :now
    WHERE task_no = :taskNo
  `);
  // A task without an outcome keeps its batch: with the end of the lease another takes it over.
  const deleteBatch = database.prepare(`
    DELETE FROM batches WHERE batch_no = ?1
      AND NOT EXISTS (SELECT 1 FROM tasks WHERE batch_no = ?1 AND state = 'running')
  `);

  function audit(task: TaskRow, outcome: TaskOutcome, now: number): void {
    const entry = auditOfOutcome(outcome, task.reason);
    if (entry === undefined) return;
    const { controllerId, subjectRequestId, target, requestNo } = task;
    const detail = JSON.stringify({ target, ...entry.detail });
    appendAudit(
      { time: now, actor: 'system', action: entry.action, controllerId, subjectRequestId, detail },
      requestNo,
    );
  }

  return (
    { batchNo, target }: BatchLease,
    outcomes: readonly TaskOutcome[],
    derived: readonly DerivedIdentities[],
    now: number,
  ): void => {
    // Only of this batch: the fence stands for no other.
    const mine = selectTasks.all(batchNo) as unknown as TaskRow[];
    const tasks = new Map(mine.map((task) => [task.taskNo, task]));
    const requests = new Set<number>();
    const done: { task: TaskRow; outcome: TaskOutcome }[] = [];
    for (const outcome of outcomes) {
      const task = tasks.get(outcome.taskNo);
      if (task === undefined) continue;
      done.push({ task, outcome });
      const { evidence, reported, ...columns } = columnsOf(outcome);
      update.run({
        ...columns,
        evidence: evidence && JSON.stringify(evidence),
        reported: reported && JSON.stringify(reported),
        now,
        taskNo: outcome.taskNo,
      });
      const end = intentEndOf(outcome);
      if (end !== undefined) endIntent(outcome.taskNo, end);
      audit(task, outcome, now);
      requests.add(task.requestNo);
    }
    for (const { taskNo, sealed } of derived) addIdentities(taskNo, sealed);
    if (outcomes.some(({ outcome }) => outcome === 'resolved')) {
      for (const requestNo of requests) unblock(requestNo, now);
    }
    for (const { what, whose, count, time } of countOutcomes(target, done, now))
      countDaily(what, whose, count, time);
    settleRequests([...requests], now);
    deleteBatch.run(batchNo);
  };
}

function prepareAddDerived(database: DatabaseSync) {
  const insert = database.prepare(`
    INSERT INTO added_identities (request_no, source, master_key_id, wrapped_key, sealed)
    SELECT request_no, target, :masterKeyId, :wrappedKey, :sealed FROM tasks WHERE task_no = :taskNo
  `);
  return (taskNo: number, { masterKeyId, wrappedKey, sealed }: DerivedIdentities['sealed']) => {
    insert.run({ taskNo, masterKeyId, wrappedKey, sealed });
  };
}

/** The last target to resolve lets all of them erase. */
export function prepareUnblock(database: DatabaseSync) {
  const statement = database.prepare(`
    UPDATE tasks SET due_time = :now
    WHERE request_no = :requestNo AND phase = 'erase' AND state = 'waiting' AND due_time IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM tasks
        WHERE request_no = :requestNo AND phase = 'resolve' AND state <> 'erased'
      )
  `);
  return (requestNo: number, now: number): void => {
    statement.run({ requestNo, now });
  };
}
