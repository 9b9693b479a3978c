// Not shared: one worker leases at a time, synchronously, in a transaction that is not synced.
import type { DatabaseSync } from 'node:sqlite';
import type { LeaseRequest } from '../../domain/task/fulfilment-ports.ts';
import { sqliteStatement } from '../dialect.ts';
import {
  createRoundRobin,
  dueControllers,
  IN_DUE_STATE,
  MAX_SHARES,
  type Shares,
} from '../shared/tasks/due-controllers.ts';
import {
  BATCH_COLUMNS,
  type BatchRow,
  FREE_LOST,
  IS_FREE,
  NEW_BATCH,
  runIn,
  TAKE_OVER,
} from '../shared/tasks/lease-statements.ts';
import { prepareWrite } from './prepare-write.ts';

const NO_SHARES: Shares = { controllers: [], each: 0 };

/** Runs in the caller's transaction. A batch whose lease has ended comes before new ones. */
export function prepareLeaseBatch(database: DatabaseSync) {
  const isFree = database.prepare(sqliteStatement(IS_FREE).text);
  const takeOver = database.prepare(sqliteStatement(TAKE_OVER).text);
  const duePhase = database.prepare(`
    SELECT phase FROM tasks
    WHERE target = ? AND phase = ? AND ${IN_DUE_STATE} AND due_time <= ? LIMIT 1
  `);
  const insertBatch = prepareWrite(
    database,
    `INSERT INTO batches (${BATCH_COLUMNS}) VALUES (${NEW_BATCH})`,
  );
  const take = (which: string) =>
    prepareWrite(
      database,
      `
      ${sqliteStatement(runIn(':batchNo')).text}
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
  const roundRobin = createRoundRobin();
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
    const last = roundRobin.after(target, phase);
    return roundRobin.share(
      target,
      phase,
      [...after(last), ...(last === '' ? [] : after(''))],
      max,
    );
  }

  return (asked: LeaseRequest): BatchRow | undefined => {
    const { target, worker, now, leaseUntil } = asked;
    if (isFree.get({ target })?.isFree !== 1) return undefined;
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
  const free = prepareWrite(database, sqliteStatement(FREE_LOST).text);
  return (): void => {
    end.run();
    free.run();
  };
}
