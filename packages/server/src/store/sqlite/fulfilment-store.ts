// Fulfilment's side of the store, on a connection of its own: short transactions between those of the
// writer's thread.
import type { DatabaseSync } from 'node:sqlite';
import { type BatchLease, Fenced, type FulfilmentStore } from '../../domain/fulfilment-ports.ts';
import { prepareAppendAudit } from './audit.ts';
import { prepareIsPaused } from './brakes.ts';
import { prepareCircuits } from './circuits.ts';
import { prepareCountDaily } from './daily-counts.ts';
import { prepareDueRequests, prepareStartedOut } from './due-requests.ts';
import { prepareErasedBefore } from './erased-before.ts';
import { prepareEndLeases, prepareLeaseBatch, prepareRenewLease } from './lease-batch.ts';
import { prepareRecordIntent } from './record-intents.ts';
import { prepareRecordOutcomes } from './record-outcomes.ts';
import { prepareReserveRows } from './reserve-rows.ts';
import { prepareStartRequests } from './start-requests.ts';
import { prepareTargetsWithWork } from './targets-with-work.ts';
import { inTransaction } from './transaction.ts';

export function createFulfilmentStore(database: DatabaseSync): FulfilmentStore {
  const appendAudit = prepareAppendAudit(database);
  const dueRequests = prepareDueRequests(database);
  const startRequests = prepareStartRequests(database, appendAudit);
  const leaseBatch = prepareLeaseBatch(database);
  const renewLease = prepareRenewLease(database);
  const recordIntent = prepareRecordIntent(database);
  const recordOutcomes = prepareRecordOutcomes(database, appendAudit);
  const erasedBefore = prepareErasedBefore(database);
  const circuits = prepareCircuits(database);
  const targetsWithWork = prepareTargetsWithWork(database);
  const endLeases = prepareEndLeases(database);
  const isPaused = prepareIsPaused(database);
  const startedOutFor = prepareStartedOut(database);
  const reserveRows = prepareReserveRows(database, prepareCountDaily(database));

  function behindTheFence<T>(batch: BatchLease, work: () => T): T {
    return inTransaction(database, () => {
      if (!renewLease(batch, 0)) throw new Fenced('another worker has taken this batch over');
      return work();
    });
  }

  return {
    dueRequests: async (receivedBefore, most, leaveOut = []) =>
      dueRequests(receivedBefore, most, leaveOut),
    startedOutFor: async (startsADay, now) => startedOutFor(startsADay, now),
    startRequests: async (commands, now, mostStartsADay = null) =>
      inTransaction(database, () => startRequests(commands, now, mostStartsADay)),
    targetsWithWork: async (now) => targetsWithWork(now),
    // A lease that a power cut takes away costs nothing: its tasks are still waiting. So it is not
    // synced; the intent behind it is, and with it all before.
    async leaseBatch(wish) {
      database.exec('PRAGMA synchronous = NORMAL');
      try {
        return inTransaction(database, () => leaseBatch(wish));
      } finally {
        database.exec('PRAGMA synchronous = FULL');
      }
    },
    renewLease: async (batch, leaseUntil) => renewLease(batch, leaseUntil),
    recordIntents: async (batch, intents, now) =>
      behindTheFence(batch, () => {
        for (const intent of intents) recordIntent(intent, now);
      }),
    async mayErase(batch, wishes, mostRowsADay, now) {
      const { target } = batch;
      // Read by itself where nothing is to be counted: most targets have no cap.
      if (isPaused(target)) return { paused: true, tomorrow: new Set() };
      if (mostRowsADay === null) return { paused: false, tomorrow: new Set() };
      return behindTheFence(batch, () => ({
        paused: isPaused(target),
        tomorrow: reserveRows(target, wishes, mostRowsADay, now),
      }));
    },
    recordOutcomes: async (batch, outcomes, derived, now) =>
      behindTheFence(batch, () => recordOutcomes(batch, outcomes, derived, now)),
    erasedBefore: async (taskNos) => erasedBefore(taskNos),
    endAllLeases: async () => inTransaction(database, endLeases),
    circuit: async (target) => circuits.circuit(target),
    openCircuit: async (circuit) => circuits.openCircuit(circuit),
    closeCircuit: async (target) => circuits.closeCircuit(target),
  };
}
