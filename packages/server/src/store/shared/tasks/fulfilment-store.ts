// The store for fulfilment: short transactions. Leasing a batch, and taking over leases when a worker starts,
// differ: see lease-batch.ts of each store.
import {
  type BatchLease,
  Fenced,
  type FulfilmentStore,
  type RecordedTransaction,
} from '../../../domain/task/fulfilment-ports.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import type { Database, Sql, Transaction } from '../../sql.ts';
import { LEGAL_HOLDS, tasksOnHold } from '../legal-holds/on-hold.ts';
import { controllersAtDailyLimit, dueRequests } from '../requests/due-requests.ts';
import { createRefusedRequests } from '../requests/refused-requests.ts';
import { startRequests } from '../requests/start-requests.ts';
import { createCircuits } from './circuits.ts';
import { erasedBefore } from './erased-before.ts';
import { endTransactions, openTransactions, recordTransaction } from './erasing-transactions.ts';
import { isPausedByLog, loggedPauses } from './logged-pauses.ts';
import { NOT_PAUSED } from './pauses.ts';
import { recordIntents } from './record-intents.ts';
import { recordOutcomes } from './record-outcomes.ts';
import { releasedWithout, releasedWithoutLookup } from './released-without.ts';
import { reserveRows } from './reserve-rows.ts';
import { targetsWithWork } from './targets-with-work.ts';

export type Leasing = Pick<FulfilmentStore, 'leaseBatch' | 'endAllLeases'>;

/**
 * These statements handle batches of hundreds of rows in tables that grow quickly: replanning each one
 * costs little in comparison.
 */
export function createFulfilment(
  { unprepared: database }: Database,
  leasing: Leasing,
): FulfilmentStore {
  const refused = createRefusedRequests();

  function behindTheFence<T>(
    batch: BatchLease,
    work: (sql: Transaction) => Promise<T>,
    leaseUntil = 0,
  ): Promise<T> {
    return database.transaction(async (sql) => {
      if (!(await renewLease(sql, batch, leaseUntil))) throw fenced();
      return work(sql);
    });
  }

  return {
    ...leasing,
    leaseBatch: async (asked) =>
      (await isPausedByLog(database, asked.target)) ? undefined : leasing.leaseBatch(asked),
    dueRequests: (receivedBefore, max, leaveOut = []) =>
      dueRequests(database, receivedBefore, max, leaveOut, refused.numbers()),
    controllersAtDailyLimit: (maxStartsPerDay, now) =>
      controllersAtDailyLimit(database, maxStartsPerDay, now),
    startRequests: (commands, now, maxStartsPerDay = null, receivedBefore = now) =>
      database.transaction((sql) =>
        startRequests(sql, commands, {
          now,
          maxStartsPerDay,
          receivedBefore,
          refused: (requestNo) => refused.add(requestNo, now),
        }),
      ),
    async targetsWithWork(now) {
      const targets = await targetsWithWork(database, now);
      if (targets.length === 0) return targets;
      const paused = await loggedPauses(database);
      const isPaused = (target: string) => paused.has(EVERYTHING) || paused.has(target);
      // Their pauses are missing in the table. That is reported here, because no batch is leased there.
      for (const target of targets.filter(isPaused)) await isPausedByLog(database, target);
      return targets.filter((target) => !isPaused(target));
    },
    renewLease: (batch, leaseUntil) => renewLease(database, batch, leaseUntil),
    recordTransaction: (batch, transaction, leaseUntil, now) =>
      behindTheFence(
        batch,
        async (sql) => {
          await requireNoneOnHold(sql, transaction);
          await recordTransaction(sql, batch.target, transaction, now);
        },
        leaseUntil,
      ),
    openTransactions: ({ target }, taskNos) => openTransactions(database, target, taskNos),
    endTransactions: (batch, ends) =>
      behindTheFence(batch, (sql) => endTransactions(sql, batch.target, ends)),
    recordIntents: (batch, intents, now) =>
      behindTheFence(batch, (sql) => recordIntents(sql, intents, now)),
    async mayErase(batch, asked, maxRowsPerDay, now) {
      // A plain read if nothing has to be counted: most targets have no limit.
      if ((await isPaused(database, batch)) || (await isPausedByLog(database, batch.target))) {
        return { paused: true, onHold: new Set(), tomorrow: new Set() };
      }
      const onHold = await tasksOnHold(database, asked);
      const free = asked.filter(({ taskNo }) => !onHold.has(taskNo));
      if (maxRowsPerDay === null) return { paused: false, onHold, tomorrow: new Set() };
      return behindTheFence(batch, async (sql) => {
        const tomorrow = await reserveRows(sql, batch.target, free, maxRowsPerDay, now);
        return { paused: await isPaused(sql, batch), onHold, tomorrow };
      });
    },
    recordOutcomes: (batch, outcomes, derived, now) =>
      behindTheFence(batch, (sql) => recordOutcomes(sql, batch, outcomes, derived, now)),
    erasedBefore: (tasks) => erasedBefore(database, tasks),
    releasedWithout: (target, tasks) => releasedWithout(database, target, tasks),
    releasedWithoutLookup: (tasks) => releasedWithoutLookup(database, tasks),
    ...createCircuits(database),
  };
}

/**
 * The fence: a worker that no longer holds the attempt changes nothing. Inside a transaction the batch
 * stays locked until the end: another worker that wants to take it over skips it, or was first.
 */
export async function renewLease(
  sql: Sql,
  { batchNo, attempt }: BatchLease,
  leaseUntil: number,
): Promise<boolean> {
  const written = await sql.run(
    `UPDATE @batches
     SET lease_until = CASE WHEN lease_until > :leaseUntil THEN lease_until ELSE :leaseUntil END
     WHERE batch_no = :batchNo AND attempt = :attempt`,
    { leaseUntil, batchNo, attempt },
  );
  return written === 1;
}

/** A worker that was suspended until another took its batch finds out here, before it changes anything. */
async function isPaused(sql: Sql, { target, batchNo, attempt }: BatchLease): Promise<boolean> {
  const row = await sql.get<{ isFree: boolean; isMine: boolean }>(
    `SELECT ${NOT_PAUSED} AS "isFree", EXISTS (SELECT 1 FROM @batches
        WHERE batch_no = :batchNo AND attempt = :attempt) AS "isMine"
     FROM (SELECT :target::text COLLATE "C" AS target) AS batch`,
    { target, batchNo, attempt },
  );
  if (!row?.isMine) throw fenced();
  return !row.isFree;
}

/**
 * In the commit that lets a transaction commit: a hold is placed either before it, or after it and told what was erased.
 * The batch is given up, and its next lease holds the task.
 */
async function requireNoneOnHold(
  sql: Transaction,
  { tables, digests }: RecordedTransaction,
): Promise<void> {
  await sql.lock(LEGAL_HOLDS, 'shared');
  const tasks = [...tables.keys()].map((taskNo) => ({
    taskNo,
    digests: digests?.get(taskNo) ?? [],
  }));
  const held = await tasksOnHold(sql, tasks);
  if (held.size > 0) throw new Fenced('a legal hold was placed on a task of this batch');
}

const fenced = () => new Fenced('another worker has taken this batch over');
