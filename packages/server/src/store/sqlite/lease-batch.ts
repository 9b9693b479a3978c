// Not shared: one worker leases at a time, synchronously, in a transaction that is not synced.
import type { DatabaseSync } from 'node:sqlite';
import type { LeasedBatch, LeaseRequest } from '../../domain/task/fulfilment-ports.ts';
import { EVERYTHING } from '../../domain/task/pause-ports.ts';
import {
  createTurns,
  dueControllers,
  IN_DUE_STATE,
  MAX_SHARES,
  type Shares,
} from '../shared/tasks/due-controllers.ts';
import { prepareWrite } from './prepare-write.ts';

const NO_SHARES: Shares = { controllers: [], each: 0 };

type BatchRow = Pick<LeasedBatch, 'batchNo' | 'attempt' | 'phase'>;

/** Runs in the caller's transaction. A batch whose lease has ended comes before new ones. */
export function prepareLeaseBatch(database: DatabaseSync) {
  const paused = database.prepare(`
    SELECT 1 FROM brakes WHERE scope = ? OR scope = ?
    UNION ALL SELECT 1 FROM restores WHERE confirmed_time IS NULL
  `);
  const takeOver = database.prepare(`
    UPDATE batches
    SET attempt = attempt + 1, worker = :worker, leased_time = :now, lease_until = :leaseUntil
    WHERE batch_no = (
      SELECT batch_no FROM batches
      WHERE target = :target AND lease_until < :now ORDER BY lease_until LIMIT 1
    )
    RETURNING batch_no AS batchNo, attempt, phase
  `);
  const duePhase = database.prepare(`
    SELECT phase FROM tasks
    WHERE target = ? AND phase = ? AND ${IN_DUE_STATE} AND due_time <= ? LIMIT 1
  `);
  const insertBatch = prepareWrite(
    database,
    `
    INSERT INTO batches (target, phase, attempt, worker, leased_time, lease_until)
    VALUES (:target, :phase, 1, :worker, :now, :leaseUntil)
  `,
  );
  const take = (which: string) =>
    prepareWrite(
      database,
      `
      UPDATE tasks
      SET state = 'running', batch_no = :batchNo, attempts = attempts + 1, changed_time = :now
      WHERE task_no IN (
        SELECT task_no FROM tasks
        WHERE target = :target AND phase = :phase AND ${IN_DUE_STATE} AND due_time <= :now ${which}
        ORDER BY due_time, task_no LIMIT :max)
    `,
    );
  const takeDue = take('');
  // In the form of the index by owner.
  const takeShare = take('AND due_time IS NOT NULL AND owner_id = :controller');
  const withDue = database.prepare(dueControllers('tasks'));
  const turns = createTurns();
  const countAttempt = prepareWrite(
    database,
    "UPDATE tasks SET attempts = attempts + 1 WHERE batch_no = ? AND state = 'running'",
  );

  function newBatch({ target, max, worker, now, leaseUntil }: LeaseRequest): BatchRow | undefined {
    const phase = (['resolve', 'erase'] as const).find((it) => duePhase.get(target, it, now));
    if (phase === undefined) return undefined;
    const { lastInsertRowid } = insertBatch.run({ target, phase, worker, now, leaseUntil });
    const batchNo = Number(lastInsertRowid);
    let left = max;
    const { controllers, each } = sharesOf(target, phase, now, max) ?? NO_SHARES;
    for (const controller of controllers)
      left -= Number(
        takeShare.run({ batchNo, target, phase, controller, now, max: Math.min(each, left) })
          .changes,
      );
    if (left > 0) takeDue.run({ batchNo, target, phase, now, max: left });
    return { batchNo, attempt: 1, phase };
  }

  function sharesOf(target: string, phase: string, now: number, max: number): Shares | undefined {
    const after = (last: string) =>
      withDue
        .all({ target, phase, now, after: last, max: Math.min(max + 1, MAX_SHARES) })
        .map(({ controller }) => String(controller));
    const last = turns.after(target, phase);
    return turns.share(target, phase, [...after(last), ...(last === '' ? [] : after(''))], max);
  }

  return (asked: LeaseRequest): BatchRow | undefined => {
    const { target, worker, now, leaseUntil } = asked;
    if (paused.get(EVERYTHING, target) !== undefined) return undefined;
    const old = takeOver.get({ target, worker, now, leaseUntil }) as BatchRow | undefined;
    if (old !== undefined) countAttempt.run(old.batchNo);
    return old ?? newBatch(asked);
  };
}

/**
 * Runs in the caller's transaction, when a worker starts: the previous worker is gone, so all leases end,
 * and running tasks without a batch become due.
 */
export function prepareEndLeases(database: DatabaseSync) {
  const end = prepareWrite(database, 'UPDATE batches SET lease_until = 0');
  const free = prepareWrite(
    database,
    `
    UPDATE tasks SET state = 'waiting', due_time = changed_time, batch_no = NULL
    WHERE state = 'running' AND NOT EXISTS (SELECT 1 FROM batches WHERE batch_no = tasks.batch_no)
  `,
  );
  return (): void => {
    end.run();
    free.run();
  };
}
