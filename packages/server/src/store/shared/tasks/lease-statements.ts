// What leasing writes on both databases. Which due tasks a batch takes, and how they are locked, differs: see
// lease-batch.ts of each store.
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { LeasedBatch, LeaseRequest } from '../../../domain/task/fulfilment-ports.ts';
import type { Sql, Transaction } from '../../sql.ts';
import { holdLeased } from '../legal-holds/hold-tasks.ts';
import { tasksOnHold } from '../legal-holds/on-hold.ts';
import { endBatch } from './end-batch.ts';
import { holdUnfit } from './hold-unfit.ts';
import { readLeasedTasks } from './leased-tasks.ts';
import { NOT_PAUSED } from './pauses.ts';

export type BatchRow = Pick<LeasedBatch, 'batchNo' | 'attempt' | 'phase'>;

export const IS_FREE = `
  SELECT ${NOT_PAUSED} AS "isFree" FROM (SELECT :target::text COLLATE "C" AS target) AS asked`;

/** A batch that is being written to has a live worker, even if its lease has expired. */
export const TAKE_OVER = `
  UPDATE @batches
  SET attempt = attempt + 1, worker = :worker, leased_time = :now, lease_until = :leaseUntil
  WHERE batch_no = (
    SELECT batch_no FROM @batches
    WHERE target = :target AND lease_until < :now ORDER BY lease_until, batch_no LIMIT 1
    FOR UPDATE SKIP LOCKED
  )
  RETURNING batch_no AS "batchNo", attempt, phase`;

/** Values of a new batch. */
export const NEW_BATCH = ':target, :phase, 1, :worker, :now, :leaseUntil';
export const BATCH_COLUMNS = 'target, phase, attempt, worker, leased_time, lease_until';

export const runIn = (batchNo: string) => `UPDATE @tasks
  SET state = 'running', batch_no = ${batchNo}, attempts = attempts + 1, changed_time = :now`;

/** A running task without a batch has no worker. */
export const IS_LOST = `state = 'running'
  AND NOT EXISTS (SELECT 1 FROM @batches WHERE batches.batch_no = tasks.batch_no)`;
export const FREE_LOST = `
  UPDATE @tasks SET state = 'waiting', due_time = changed_time, batch_no = NULL WHERE ${IS_LOST}`;

/**
 * The batch with its tasks. Tasks that contradict the audit log, or that a legal hold is on, are held in
 * `transaction`; undefined if no other is left.
 */
export async function readBatch(
  sql: Sql,
  transaction: (work: (sql: Transaction) => Promise<void>) => Promise<void>,
  batch: BatchRow,
  { target, now }: LeaseRequest,
  macs: RowMacs,
): Promise<LeasedBatch | undefined> {
  const { tasks, unfit } = await readLeasedTasks(sql, batch.batchNo, macs);
  if (unfit.length > 0) {
    await transaction((within) => holdUnfit(within, batch.batchNo, unfit, now));
  }
  let free = tasks;
  if ((await tasksOnHold(sql, tasks)).size > 0) {
    await transaction(async (within) => {
      const held = await holdLeased(within, tasks, now);
      free = tasks.filter(({ taskNo }) => !held.has(taskNo));
      await endBatch(within, batch.batchNo);
    });
  }
  return free.length === 0 ? undefined : { ...batch, target, leasedTime: now, tasks: free };
}
