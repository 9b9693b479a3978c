// Not shared: several nodes lease at once, so rows are taken with SKIP LOCKED, and a batch is created in the
// same statement that takes its tasks.
import type { RowMacs } from '../../domain/keys/row-macs.ts';
import type { LeasedBatch, LeaseRequest } from '../../domain/task/fulfilment-ports.ts';
import type { TaskPhase } from '../../domain/task/task.ts';
import {
  createRoundRobin,
  dueControllers,
  IN_DUE_STATE,
  MAX_SHARES,
  type RoundRobin,
  type Shares,
} from '../shared/tasks/due-controllers.ts';
import {
  BATCH_COLUMNS,
  type BatchRow,
  FREE_LOST,
  IS_FREE,
  IS_LOST,
  NEW_BATCH,
  readBatch,
  runIn,
  TAKE_OVER,
} from '../shared/tasks/lease-statements.ts';
import type { Sql, Transaction } from './database.ts';

const WITH_DUE = dueControllers('@tasks');

/**
 * Runs in the caller's transaction. A batch whose lease has ended comes before new ones. On SQLite a lease
 * is not synced; here it must be: a sequence that a crash sets back would assign the same number to another
 * batch, and the fence would mistake one worker for the other.
 */
export async function leaseBatch(
  sql: Transaction,
  asked: LeaseRequest,
  macs: RowMacs,
  roundRobin: RoundRobin = createRoundRobin(),
): Promise<LeasedBatch | undefined> {
  const { target } = asked;
  const paused = await sql.get<{ isFree: boolean }>(IS_FREE, { target });
  if (paused?.isFree !== true) return undefined;
  const batch =
    (await takeOver(sql, asked)) ??
    (await newBatch(sql, asked, 'resolve', roundRobin)) ??
    (await newBatch(sql, asked, 'erase', roundRobin));
  return batch && readBatch(sql, (work) => work(sql), batch, asked, macs);
}

async function takeOver(sql: Sql, asked: LeaseRequest): Promise<BatchRow | undefined> {
  const { target, worker, now, leaseUntil } = asked;
  const batch = await sql.get<BatchRow>(TAKE_OVER, { target, worker, now, leaseUntil });
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
    INSERT INTO @batches (${BATCH_COLUMNS})
    SELECT ${NEW_BATCH} WHERE EXISTS (SELECT 1 FROM due)
    RETURNING batch_no
  ), taken AS (
    ${runIn('batch.batch_no')}
    FROM due, batch WHERE tasks.task_no = due.task_no
  )
  SELECT batch_no AS "batchNo", (SELECT count(*) FROM due) AS taken FROM batch`;

/** The rest of the batch, after every controller has its share, is filled with the oldest tasks. */
const FILL = `
  WITH due AS (${OLDEST})
  ${runIn(':batchNo')}
  FROM due WHERE tasks.task_no = due.task_no`;

/** Tasks that another transaction has locked are skipped, so nothing waits. */
async function newBatch(
  sql: Sql,
  asked: LeaseRequest,
  phase: TaskPhase,
  roundRobin: RoundRobin,
): Promise<BatchRow | undefined> {
  const { target, max, worker, now, leaseUntil } = asked;
  const values = { target, phase, worker, now, leaseUntil, max };
  type Row = { readonly batchNo: number; readonly taken: number };
  const shares = await sharesOf(sql, asked, phase, roundRobin);
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
  roundRobin: RoundRobin,
): Promise<Shares | undefined> {
  const after = async (last: string) => {
    const asked = { target, phase, now, after: last, max: Math.min(max + 1, MAX_SHARES) };
    return (await sql.all<{ controller: string }>(WITH_DUE, asked)).map((row) => row.controller);
  };
  const last = roundRobin.after(target, phase);
  const found = [...(await after(last)), ...(last === '' ? [] : await after(''))];
  return roundRobin.share(target, phase, found, max);
}

/**
 * Runs in the caller's transaction. Other nodes may be working, so their leases are left to expire. But a
 * running task without a batch has no worker, and becomes due. It is locked before it is read, because
 * another node may just have freed and leased it.
 */
export async function freeLostTasks(sql: Sql): Promise<void> {
  const rows = await sql.all<{ taskNo: number }>(
    `SELECT task_no AS "taskNo" FROM @tasks WHERE ${IS_LOST}
     ORDER BY task_no FOR UPDATE SKIP LOCKED`,
  );
  if (rows.length === 0) return;
  await sql.run(`${FREE_LOST} AND task_no = ANY(:taskNos::bigint[])`, {
    taskNos: rows.map(({ taskNo }) => taskNo),
  });
}
