import type { DatabaseSync } from 'node:sqlite';
import type {
  BatchLease,
  LeasedBatch,
  LeasedTask,
  LeaseWish,
  SealedIdentities,
} from '../../domain/fulfilment-ports.ts';
import type { TaskPhase } from '../../domain/task.ts';
import { type LeasedRow, leasedTasks } from '../leased-tasks.ts';
import { type StoredIdentities, withSource } from '../stored-identities.ts';
import { prepareIsPaused } from './brakes.ts';

interface BatchRow {
  readonly batchNo: number;
  readonly attempt: number;
  readonly phase: TaskPhase;
}

/** Inside the caller's transaction. A batch whose lease has ended comes before new ones. */
export function prepareLeaseBatch(database: DatabaseSync) {
  const readTasks = prepareReadTasks(database);
  const isPaused = prepareIsPaused(database);
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
    WHERE target = ? AND phase = ? AND state IN ('waiting', 'failed') AND due_time <= ? LIMIT 1
  `);
  const insertBatch = database.prepare(`
    INSERT INTO batches (target, phase, attempt, worker, leased_time, lease_until)
    VALUES (:target, :phase, 1, :worker, :now, :leaseUntil)
  `);
  const takeDue = database.prepare(`
    UPDATE tasks
    SET state = 'running', batch_no = :batchNo, attempts = attempts + 1, changed_time = :now
    WHERE task_no IN (
      SELECT task_no FROM tasks
      WHERE target = :target AND phase = :phase
        AND state IN ('waiting', 'failed') AND due_time <= :now
      ORDER BY due_time, task_no LIMIT :most
    )
  `);
  const countAttempt = database.prepare(
    "UPDATE tasks SET attempts = attempts + 1 WHERE batch_no = ? AND state = 'running'",
  );

  function newBatch({ target, most, worker, now, leaseUntil }: LeaseWish): BatchRow | undefined {
    const phase = (['resolve', 'erase'] as const).find((it) => duePhase.get(target, it, now));
    if (phase === undefined) return undefined;
    const { lastInsertRowid } = insertBatch.run({ target, phase, worker, now, leaseUntil });
    const batchNo = Number(lastInsertRowid);
    takeDue.run({ batchNo, target, phase, now, most });
    return { batchNo, attempt: 1, phase };
  }

  return (wish: LeaseWish): LeasedBatch | undefined => {
    const { target, worker, now, leaseUntil } = wish;
    if (isPaused(target)) return undefined;
    const old = takeOver.get({ target, worker, now, leaseUntil }) as BatchRow | undefined;
    if (old !== undefined) countAttempt.run(old.batchNo);
    const batch = old ?? newBatch(wish);
    if (batch === undefined) return undefined;
    return { ...batch, target, leasedTime: now, tasks: readTasks(batch.batchNo) };
  };
}

/** Three statements for the whole batch: asking for each task apart took twice as long. */
function prepareReadTasks(database: DatabaseSync) {
  const selectTasks = database.prepare(`
    SELECT tasks.task_no AS taskNo, request_no AS requestNo, controller_id AS controllerId,
           subject_request_id AS subjectRequestId, attempts, allowed_rows AS allowedRows,
           reported, intent_state AS intentState, plan AS intentPlan,
           counts, retained, first_time AS firstTime, master_key_id AS masterKeyId,
           wrapped_key AS wrappedKey, sealed
    FROM tasks JOIN requests USING (request_no) LEFT JOIN intents USING (task_no)
    WHERE batch_no = ? AND state = 'running' ORDER BY request_no, tasks.task_no
  `);
  const identitiesFrom = ([table, source]: readonly [string, string]) =>
    database.prepare(`
      SELECT request_no AS requestNo, ${source} AS source, master_key_id AS masterKeyId, wrapped_key AS wrappedKey, sealed
      FROM ${table}
      WHERE request_no IN (SELECT request_no FROM tasks WHERE batch_no = ? AND state = 'running')
    `);
  const selects = (
    [
      ['sealed_identities', 'NULL'],
      ['added_identities', 'source'],
    ] as const
  ).map(identitiesFrom);

  function readIdentities(batchNo: number): Map<number, SealedIdentities[]> {
    const found = new Map<number, SealedIdentities[]>();
    for (const select of selects) {
      const rows = select.all(batchNo) as unknown as (StoredIdentities & { requestNo: number })[];
      for (const { requestNo, ...stored } of rows) {
        const own = found.get(requestNo) ?? [];
        own.push(withSource(stored));
        found.set(requestNo, own);
      }
    }
    return found;
  }

  return (batchNo: number): LeasedTask[] => {
    return leasedTasks(selectTasks.all(batchNo) as unknown as LeasedRow[], readIdentities(batchNo));
  };
}

/** The fence: whoever does not hold the attempt any more changes nothing. */
export function prepareRenewLease(database: DatabaseSync) {
  const renew = database.prepare(
    'UPDATE batches SET lease_until = max(lease_until, ?) WHERE batch_no = ? AND attempt = ?',
  );
  return ({ batchNo, attempt }: BatchLease, leaseUntil: number): boolean =>
    renew.run(leaseUntil, batchNo, attempt).changes === 1;
}

/** Inside the caller's transaction. Whoever had a batch has it no more; a task without one is due. */
export function prepareEndLeases(database: DatabaseSync) {
  const end = database.prepare('UPDATE batches SET lease_until = 0');
  const free = database.prepare(`
    UPDATE tasks SET state = 'waiting', due_time = changed_time, batch_no = NULL
    WHERE state = 'running' AND NOT EXISTS (SELECT 1 FROM batches WHERE batch_no = tasks.batch_no)
  `);
  return (): void => {
    end.run();
    free.run();
  };
}
