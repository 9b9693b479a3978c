import type {
  BatchLease,
  LeasedBatch,
  LeasedTask,
  LeaseWish,
} from '../../domain/fulfilment-ports.ts';
import type { TaskPhase } from '../../domain/task.ts';
import { type LeasedRow, leasedTasks } from '../leased-tasks.ts';
import { NOT_PAUSED } from './brakes.ts';
import type { Sql } from './database.ts';
import { readIdentities } from './read-identities.ts';

interface BatchRow {
  readonly batchNo: number;
  readonly attempt: number;
  readonly phase: TaskPhase;
}

/**
 * Inside the caller's transaction. A batch whose lease has ended comes before new ones. On SQLite a lease is not
 * synced; here it must be: a sequence that a crash sets back would give the same number to another batch, and
 * the fence would take one worker for the other.
 */
export async function leaseBatch(sql: Sql, wish: LeaseWish): Promise<LeasedBatch | undefined> {
  const { target, now } = wish;
  if (await isPaused(sql, target)) return undefined;
  const batch =
    (await takeOver(sql, wish)) ??
    (await newBatch(sql, wish, 'resolve')) ??
    (await newBatch(sql, wish, 'erase'));
  if (batch === undefined) return undefined;
  return { ...batch, target, leasedTime: now, tasks: await readTasks(sql, batch.batchNo) };
}

async function isPaused(sql: Sql, target: string): Promise<boolean> {
  const row = await sql.get<{ isFree: boolean }>(
    `SELECT ${NOT_PAUSED} AS "isFree" FROM (SELECT $1::text COLLATE "C") AS wish (target)`,
    [target],
  );
  return row?.isFree !== true;
}

/** A batch that somebody writes to at this moment is in living hands, whatever its lease says. */
async function takeOver(sql: Sql, wish: LeaseWish): Promise<BatchRow | undefined> {
  const { target, worker, now, leaseUntil } = wish;
  const batch = await sql.get<BatchRow>(
    `UPDATE @batches
     SET attempt = attempt + 1, worker = $2, leased_time = $3, lease_until = $4
     WHERE batch_no = (
       SELECT batch_no FROM @batches
       WHERE target = $1 AND lease_until < $3 ORDER BY lease_until, batch_no LIMIT 1
       FOR UPDATE SKIP LOCKED
     )
     RETURNING batch_no AS "batchNo", attempt, phase`,
    [target, worker, now, leaseUntil],
  );
  if (batch === undefined) return undefined;
  await sql.run(
    `WITH mine AS (
       SELECT task_no FROM @tasks WHERE batch_no = $1 AND state = 'running'
       ORDER BY task_no FOR UPDATE
     )
     UPDATE @tasks SET attempts = attempts + 1 FROM mine WHERE tasks.task_no = mine.task_no`,
    [batch.batchNo],
  );
  return batch;
}

/** What others are about to take, or to change, is passed by: nobody waits for anybody. */
async function newBatch(
  sql: Sql,
  wish: LeaseWish,
  phase: TaskPhase,
): Promise<BatchRow | undefined> {
  const { target, most, worker, now, leaseUntil } = wish;
  const row = await sql.get<{ batchNo: number }>(
    `WITH due AS (
       SELECT task_no FROM @tasks
       WHERE target = $1 AND phase = $2 AND state IN ('waiting', 'failed') AND due_time <= $4
       ORDER BY due_time, task_no LIMIT $6
       FOR UPDATE SKIP LOCKED
     ), batch AS (
       INSERT INTO @batches (target, phase, attempt, worker, leased_time, lease_until)
       SELECT $1, $2, 1, $3, $4, $5 WHERE EXISTS (SELECT 1 FROM due)
       RETURNING batch_no
     ), taken AS (
       UPDATE @tasks
       SET state = 'running', batch_no = batch.batch_no, attempts = attempts + 1, changed_time = $4
       FROM due, batch WHERE tasks.task_no = due.task_no
     )
     SELECT batch_no AS "batchNo" FROM batch`,
    [target, phase, worker, now, leaseUntil, most],
  );
  return row && { batchNo: row.batchNo, attempt: 1, phase };
}

async function readTasks(sql: Sql, batchNo: number): Promise<LeasedTask[]> {
  const rows = await sql.all<LeasedRow>(
    `SELECT tasks.task_no AS "taskNo", request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId", attempts, allowed_rows AS "allowedRows",
            reported, intent_state AS "intentState", plan AS "intentPlan",
            counts, retained, first_time AS "firstTime", master_key_id AS "masterKeyId",
            wrapped_key AS "wrappedKey", sealed
     FROM @tasks JOIN @requests USING (request_no) LEFT JOIN @intents USING (task_no)
     WHERE batch_no = $1 AND state = 'running' ORDER BY request_no, tasks.task_no`,
    [batchNo],
  );
  const requestNos = rows.map(({ requestNo }) => requestNo);
  // Read after the tasks were taken: identities that are added now give these another run.
  const identities = await readIdentities(sql, requestNos);
  return leasedTasks(rows, identities);
}

/**
 * The fence: whoever does not hold the attempt any more changes nothing. Inside a transaction the batch
 * stays its own until the end of it: a take-over looks elsewhere, or has come first.
 */
export async function renewLease(
  sql: Sql,
  { batchNo, attempt }: BatchLease,
  leaseUntil: number,
): Promise<boolean> {
  const written = await sql.run(
    `UPDATE @batches SET lease_until = greatest(lease_until, $1)
     WHERE batch_no = $2 AND attempt = $3`,
    [leaseUntil, batchNo, attempt],
  );
  return written === 1;
}

/**
 * Inside the caller's transaction. Other nodes are at work: their leases end by themselves, if at all. But
 * a task without a batch is nobody's, and due. Held first and looked at then: it may just have been
 * freed, and taken, by another.
 */
export async function freeLostTasks(sql: Sql): Promise<void> {
  const lost = `state = 'running'
    AND NOT EXISTS (SELECT 1 FROM @batches WHERE batches.batch_no = tasks.batch_no)`;
  const rows = await sql.all<{ taskNo: number }>(
    `SELECT task_no AS "taskNo" FROM @tasks WHERE ${lost}
     ORDER BY task_no FOR UPDATE SKIP LOCKED`,
  );
  if (rows.length === 0) return;
  await sql.run(
    `UPDATE @tasks SET state = 'waiting', due_time = changed_time, batch_no = NULL
     WHERE task_no = ANY($1::bigint[]) AND ${lost}`,
    [rows.map(({ taskNo }) => taskNo)],
  );
}
