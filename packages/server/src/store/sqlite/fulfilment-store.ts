// Fulfilment's side of the store, on a connection of its own: short transactions between those of the
// writer's thread.
import type { DatabaseSync } from 'node:sqlite';
import { type BatchLease, Fenced, type FulfilmentStore } from '../../domain/fulfilment-ports.ts';
import { prepareAppendAudit } from './audit.ts';
import { prepareCircuits } from './circuits.ts';
import { prepareErasedBefore } from './erased-before.ts';
import { prepareEndLeases, prepareLeaseBatch, prepareRenewLease } from './lease-batch.ts';
import { prepareRecordIntent } from './record-intents.ts';
import { prepareRecordOutcomes } from './record-outcomes.ts';
import { prepareDueRequests, prepareStartRequest } from './start-requests.ts';
import { prepareTargetsWithWork } from './targets-with-work.ts';
import { inTransaction } from './transaction.ts';

export function createFulfilmentStore(database: DatabaseSync): FulfilmentStore {
  const appendAudit = prepareAppendAudit(database);
  const dueRequests = prepareDueRequests(database);
  const startRequest = prepareStartRequest(database, appendAudit);
  const leaseBatch = prepareLeaseBatch(database);
  const renewLease = prepareRenewLease(database);
  const recordIntent = prepareRecordIntent(database);
  const recordOutcomes = prepareRecordOutcomes(database, appendAudit);
  const erasedBefore = prepareErasedBefore(database);
  const circuits = prepareCircuits(database);
  const targetsWithWork = prepareTargetsWithWork(database);
  const endLeases = prepareEndLeases(database);

  function behindTheFence(batch: BatchLease, work: () => void): void {
    inTransaction(database, () => {
      if (!renewLease(batch, 0)) throw new Fenced('another worker has taken this batch over');
      work();
    });
  }

  return {
    dueRequests: async (receivedBefore, most) => dueRequests(receivedBefore, most),
    startRequests: async (commands, now) =>
      inTransaction(
        database,
        () => commands.filter((command) => startRequest(command, now)).length,
      ),
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
    recordOutcomes: async (batch, outcomes, derived, now) =>
      behindTheFence(batch, () => recordOutcomes(batch, outcomes, derived, now)),
    erasedBefore: async (taskNos) => erasedBefore(taskNos),
    endAllLeases: async () => inTransaction(database, endLeases),
    circuit: async (target) => circuits.circuit(target),
    openCircuit: async (circuit) => circuits.openCircuit(circuit),
    closeCircuit: async (target) => circuits.closeCircuit(target),
  };
}
