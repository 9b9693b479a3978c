// Fulfilment's side of the store: short transactions, between those of other nodes.
import { type BatchLease, Fenced, type FulfilmentStore } from '../../domain/fulfilment-ports.ts';
import { NOT_PAUSED } from './brakes.ts';
import { prepareCircuits } from './circuits.ts';
import type { Database, Sql } from './database.ts';
import { dueRequests, startedOutFor } from './due-requests.ts';
import { erasedBefore } from './erased-before.ts';
import { freeLostTasks, leaseBatch, renewLease } from './lease-batch.ts';
import { recordIntents } from './record-intents.ts';
import { recordOutcomes } from './record-outcomes.ts';
import { reserveRows } from './reserve-rows.ts';
import { startRequests } from './start-requests.ts';
import { prepareTargetsWithWork } from './targets-with-work.ts';

/** Batches of hundreds, in tables that grow by as many: planned anew, since planning is nothing to that. */
export function createFulfilmentStore({ unprepared: database }: Database): FulfilmentStore {
  function behindTheFence<T>(batch: BatchLease, work: (sql: Sql) => Promise<T>): Promise<T> {
    return database.transaction(async (sql) => {
      if (!(await renewLease(sql, batch, 0))) throw fenced();
      return work(sql);
    });
  }

  return {
    dueRequests: (receivedBefore, most, leaveOut = []) =>
      dueRequests(database, receivedBefore, most, leaveOut),
    startedOutFor: (startsADay, now) => startedOutFor(database, startsADay, now),
    startRequests: (commands, now, mostStartsADay = null) =>
      database.transaction((sql) => startRequests(sql, commands, now, mostStartsADay)),
    targetsWithWork: prepareTargetsWithWork(database),
    leaseBatch: (wish) => database.transaction((sql) => leaseBatch(sql, wish)),
    renewLease: (batch, leaseUntil) => renewLease(database, batch, leaseUntil),
    recordIntents: (batch, intents, now) =>
      behindTheFence(batch, (sql) => recordIntents(sql, intents, now)),
    async mayErase(batch, wishes, mostRowsADay, now) {
      // Read by itself where nothing is to be counted: most targets have no cap.
      if (await isPaused(database, batch)) return { paused: true, tomorrow: new Set() };
      if (mostRowsADay === null) return { paused: false, tomorrow: new Set() };
      return behindTheFence(batch, async (sql) => {
        const tomorrow = await reserveRows(sql, batch.target, wishes, mostRowsADay, now);
        return { paused: await isPaused(sql, batch), tomorrow };
      });
    },
    recordOutcomes: (batch, outcomes, derived, now) =>
      behindTheFence(batch, (sql) => recordOutcomes(sql, batch, outcomes, derived, now)),
    erasedBefore: (taskNos) => erasedBefore(database, taskNos),
    endAllLeases: () => database.transaction(freeLostTasks),
    ...prepareCircuits(database),
  };
}

/** Whoever slept so long that the batch is another's learns it here, before it touches anything. */
async function isPaused(sql: Sql, { target, batchNo, attempt }: BatchLease): Promise<boolean> {
  const row = await sql.get<{ isFree: boolean; isMine: boolean }>(
    `SELECT ${NOT_PAUSED} AS "isFree",
            EXISTS (SELECT 1 FROM @batches WHERE batch_no = $2 AND attempt = $3) AS "isMine"
     FROM (SELECT $1::text COLLATE "C") AS batch (target)`,
    [target, batchNo, attempt],
  );
  if (row?.isMine !== true) throw fenced();
  return !row.isFree;
}

const fenced = () => new Fenced('another worker has taken this batch over');
