// Not shared: several nodes lease at once, so rows are taken with SKIP LOCKED, and a batch is created in the
// same statement that takes its tasks.
import type { RowMacs } from '../../domain/keys/row-macs.ts';
import type { LeasedBatch, LeaseRequest } from '../../domain/task/fulfilment-ports.ts';
import type { TaskPhase } from '../../domain/task/task.ts';
import {
  createTurns,
  dueControllers,
  IN_DUE_STATE,
  MAX_SHARES,
  type Shares,
  type Turns,
} from '../shared/tasks/due-controllers.ts';
import { holdUnfit } from '../shared/tasks/hold-unfit.ts';
import { readLeasedTasks } from '../shared/tasks/leased-tasks.ts';
import { NOT_PAUSED } from '../shared/tasks/pauses.ts';
import type { Sql } from './database.ts';

const WITH_DUE = dueControllers('@tasks');

interface BatchRow {
  readonly batchNo: number;
  readonly attempt: number;
  readonly phase: TaskPhase;
}

/**
 * Runs in the caller's transaction. A batch whose lease has ended comes before new ones. On SQLite a lease
 * is not synced; here it must be: a sequence that a crash sets back would assign the same number to another
 * batch, and the fence would mistake one worker for the other.
 */
export async function leaseBatch(
  sql: Sql,
  asked: LeaseRequest,
  macs: RowMacs,
  turns: Turns = createTurns(),
): Promise<LeasedBatch | undefined> {
  const { target, now } = asked;
  if (await isPaused(sql, target)) return undefined;
  const batch =
    (await takeOver(sql, asked)) ??
    (await newBatch(sql, asked, 'resolve', turns)) ??
    (await newBatch(sql, asked, 'erase', turns));
  if (batch === undefined) return undefined;
  const { tasks, unfit } = await readLeasedTasks(sql, batch.batchNo, macs);
  if (unfit.length > 0) {
    await holdUnfit(sql, batch.batchNo, unfit, now);
    if (tasks.length === 0) return undefined;
  }
  return { ...batch, target, leasedTime: now, tasks };
}

async function isPaused(sql: Sql, target: string): Promise<boolean> {
  const row = await sql.get<{ isFree: boolean }>(
    `SELECT ${NOT_PAUSED} AS "isFree" FROM (SELECT :target::text COLLATE "C") AS asked (target)`,
    { target },
  );
  return row?.isFree !== true;
}

/** A batch that is being written to has a live worker, even if its lease has expired. */
async function takeOver(sql: Sql, asked: LeaseRequest): Promise<BatchRow | undefined> {
  const { target, worker, now, leaseUntil } = asked;
  const batch = await sql.get<BatchRow>(
    `UPDATE @batches
     SET attempt = attempt + 1, worker = :worker, leased_time = :now, lease_until = :leaseUntil
     WHERE batch_no = (
       SELECT batch_no FROM @batches
       WHERE target = :target AND lease_until < :now ORDER BY lease_until, batch_no LIMIT 1
       FOR UPDATE SKIP LOCKED
     )
     RETURNING batch_no AS "batchNo", attempt, phase`,
    { target, worker, now, leaseUntil },
  );
  if (batch === undefined) return undefined;
  await sql.run(
    `WITH mine AS (
       SELECT task_no FROM @tasks WHERE batch_no = :batchNo AND state = 'running'
       ORDER BY task_no FOR UPDATE
     )
     UPDATE @tasks SET attempts = attempts + 1 FROM mine WHERE tasks.task_no = mine.task_no`,
    { batchNo: batch.batchNo },
  );
  return batch;
}

const DUE = `target = :target AND phase = :phase AND ${IN_DUE_STATE}
  AND due_time IS NOT NULL AND due_time <= :now`;

/** So many tasks of each controller. */
const SHARES = `
  SELECT share.task_no FROM unnest(:controllers::text[]) AS due (controller)
  CROSS JOIN LATERAL (
    SELECT task_no FROM @tasks WHERE ${DUE} AND owner_id = due.controller
    ORDER BY due_time, task_no LIMIT :each FOR UPDATE SKIP LOCKED
  ) AS share
  LIMIT :max`;

const OLDEST = `
  SELECT task_no FROM @tasks WHERE ${DUE}
  ORDER BY due_time, task_no LIMIT :max FOR UPDATE SKIP LOCKED`;

/** Creates a batch if there are due tasks; returns how many it took. */
const take = (tasks: string) => `
  WITH due AS (${tasks}), batch AS (
    INSERT INTO @batches (target, phase, attempt, worker, leased_time, lease_until)
    SELECT :target, :phase, 1, :worker, :now, :leaseUntil WHERE EXISTS (SELECT 1 FROM due)
    RETURNING batch_no
  ), taken AS (
    UPDATE @tasks
    SET state = 'running', batch_no = batch.batch_no, attempts = attempts + 1, changed_time = :now
    FROM due, batch WHERE tasks.task_no = due.task_no
  )
  SELECT batch_no AS "batchNo", (SELECT count(*) FROM due) AS taken FROM batch`;

/** The rest of the batch, after every controller has its share, is filled with the oldest tasks. */
const FILL = `
  WITH due AS (${OLDEST})
  UPDATE @tasks
  SET state = 'running', batch_no = :batchNo, attempts = attempts + 1, changed_time = :now
  FROM due WHERE tasks.task_no = due.task_no`;

/** Tasks that another transaction has locked are skipped, so nothing waits. */
async function newBatch(
  sql: Sql,
  asked: LeaseRequest,
  phase: TaskPhase,
  turns: Turns,
): Promise<BatchRow | undefined> {
  const { target, max, worker, now, leaseUntil } = asked;
  const values = { target, phase, worker, now, leaseUntil, max };
  type Row = { readonly batchNo: number; readonly taken: number };
  const shares = await sharesOf(sql, asked, phase, turns);
  if (shares !== undefined) {
    const row = await sql.get<Row>(take(SHARES), { ...values, ...shares });
    if (row !== undefined) {
      const { batchNo, taken } = row;
      if (taken < max) await sql.run(FILL, { target, phase, now, batchNo, max: max - taken });
      return { batchNo, attempt: 1, phase };
    }
  }
  const row = await sql.get<Row>(take(OLDEST), values);
  return row && { batchNo: row.batchNo, attempt: 1, phase };
}

async function sharesOf(
  sql: Sql,
  { target, max, now }: LeaseRequest,
  phase: TaskPhase,
  turns: Turns,
): Promise<Shares | undefined> {
  const after = async (last: string) => {
    const asked = { target, phase, now, after: last, max: Math.min(max + 1, MAX_SHARES) };
    return (await sql.all<{ controller: string }>(WITH_DUE, asked)).map((row) => row.controller);
  };
  const last = turns.after(target, phase);
  const found = [...(await after(last)), ...(last === '' ? [] : await after(''))];
  return turns.share(target, phase, found, max);
}

/**
 * Runs in the caller's transaction. Other nodes may be working, so their leases are left to expire. But a
 * running task without a batch has no worker, and becomes due. It is locked before it is read, because
 * another node may just have freed and leased it.
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
     WHERE task_no = ANY(:taskNos::bigint[]) AND ${lost}`,
    { taskNos: rows.map(({ taskNo }) => taskNo) },
  );
}
