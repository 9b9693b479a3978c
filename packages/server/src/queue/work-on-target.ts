// One worker slot of a target: runs batches one after the other until it is told to stop. A target that is down
// gets no batches; it is probed with one task.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isOpen } from '../domain/target/hours.ts';
import type { LeasedBatch } from '../domain/task/fulfilment-ports.ts';
import type { QueueParts } from './queue.ts';

const LEASE_MS = 30_000;
const BATCH_SIZE_OF_A_REMOVED_TARGET = 500;

/** Returns whether any work was done. */
export type WorkOnTarget = (name: string, slot: number, mayGoOn: () => boolean) => Promise<boolean>;

export function createWorkOnTarget(parts: QueueParts): WorkOnTarget {
  const { store, targets, runBatch, probeDelay, clock, worker, report, lease = LEASE_MS } = parts;

  async function whileLeased<T>(batch: LeasedBatch, work: () => Promise<T>): Promise<T> {
    const heartbeat = setInterval(() => {
      // A lease that cannot be renewed ends: the fence, not this timer, keeps results apart.
      store.renewLease(batch, clock() + lease).catch(() => undefined);
    }, lease / 3);
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
    }
  }

  return async (name, slot, mayGoOn) => {
    const target = targets.get(name);
    for (let batches = 0; ; batches++) {
      // SQLite's store and some connectors are synchronous: without this, no timer would run and no message
      // would arrive before the last batch is done.
      await nextTurn();
      const now = clock();
      if (!mayGoOn() || (target?.hours && !isOpen(target.hours, now))) return batches > 0;
      const circuit = await store.circuit(name);
      if (circuit !== undefined && (circuit.probeTime > now || slot > 0)) return batches > 0;
      // One task is enough to see whether a target can be used again.
      const size = target?.batchSize ?? BATCH_SIZE_OF_A_REMOVED_TARGET;
      const max = circuit === undefined ? size : 1;
      const request = { target: name, max, worker, now, leaseUntil: now + lease };
      const batch = await store.leaseBatch(request);
      if (batch === undefined) return batches > 0;
      const { down } = await whileLeased(batch, () => runBatch(batch, target));
      if (down !== undefined) {
        const failures = (circuit?.failures ?? 0) + 1;
        await store.openCircuit({
          target: name,
          code: down.code,
          detail: down.message,
          failures,
          openedTime: circuit?.openedTime ?? clock(),
          probeTime: clock() + probeDelay(failures),
        });
        report.targetDown(name, down.code, down.message);
        return batches > 0;
      }
      if (circuit !== undefined) {
        await store.closeCircuit(name);
        report.targetBack(name);
      }
    }
  };
}
