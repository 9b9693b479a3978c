// The store for fulfilment: short transactions. Leasing a batch, and taking over leases when a worker starts,
// differ: see lease-batch.ts of each store.
import {
  type BatchLease,
  Fenced,
  type FulfilmentStore,
} from '../../../domain/task/fulfilment-ports.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import type { MayErase } from '../../../domain/task/row-reservation.ts';
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
    async recordTransaction(batch, transaction, leaseUntil, now) {
      const { intents, reservations, maxRowsPerDay } = transaction;
      if (await isPausedByLog(database, batch.target)) return PAUSED;
      return behindTheFence(
        batch,
        async (sql) => {
          if (await isPaused(sql, batch)) return PAUSED;
          // A hold is placed either before this commit, or after it and told what was erased.
          await sql.lock(LEGAL_HOLDS, 'shared');
          const onHold = await tasksOnHold(sql, reservations);
          const free = reservations.filter(({ taskNo }) => !onHold.has(taskNo));
          const tomorrow =
            maxRowsPerDay === null
              ? new Set<number>()
              : await reserveRows(sql, batch.target, free, maxRowsPerDay, now);
          if (tomorrow.size + onHold.size === 0) {
            await recordIntents(sql, intents, now);
            await recordTransaction(sql, batch.target, transaction, now);
          }
          return { paused: false, onHold, tomorrow };
        },
        leaseUntil,
      );
    },
    openTransactions: ({ target }, taskNos) => openTransactions(database, target, taskNos),
    endTransactions: (batch, ends) =>
      behindTheFence(batch, (sql) => endTransactions(sql, batch.target, ends)),
    recordOutcomes: (batch, outcomes, derived, now, intents = []) =>
      behindTheFence(batch, async (sql) => {
        await recordIntents(sql, intents, now);
        await recordOutcomes(sql, batch, outcomes, derived, now);
      }),
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

async function isPaused(sql: Sql, { target }: BatchLease): Promise<boolean> {
  const row = await sql.get<{ isFree: boolean | number }>(
    `SELECT ${NOT_PAUSED} AS "isFree" FROM (SELECT :target::text COLLATE "C" AS target) AS batch`,
    { target },
  );
  return !row?.isFree;
}

const PAUSED: MayErase = { paused: true, onHold: new Set(), tomorrow: new Set() };

const fenced = () => new Fenced('another worker has taken this batch over');
