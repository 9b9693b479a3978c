// The jobs that a sweep enqueues: one for each worker slot of each target with work.
import { isOpen } from '../domain/target/hours.ts';
import type { NewJob } from './job-board.ts';
import type { QueueParts } from './queue.ts';

export interface Slot {
  readonly target: string;
  /** Counted from 0. null: for a node without this target, which hands its tasks to an operator. */
  readonly lane: number | null;
}

export interface SlotJobs {
  jobOf(slot: Slot): NewJob;
  jobsFor(targets: readonly string[]): Promise<NewJob[]>;
}

/** `removedAfter`: seconds. */
export function createSlotJobs(
  { store, targets, clock }: Pick<QueueParts, 'store' | 'targets' | 'clock'>,
  removedAfter: number,
): SlotJobs {
  function jobOf(data: Slot): NewJob {
    const { target, lane } = data;
    if (lane === null) return { key: `${target} removed`, data, afterSeconds: removedAfter };
    // The first slot of each target comes before the second one of any.
    return { key: `${target} ${lane}`, data, group: target, priority: -lane };
  }

  /** None where the target is closed or down. */
  async function slotsOf(name: string): Promise<Slot[]> {
    const target = targets.get(name);
    if (target === undefined) {
      return [
        { target: name, lane: 0 },
        { target: name, lane: null },
      ];
    }
    const now = clock();
    if (target.hours && !isOpen(target.hours, now)) return [];
    const circuit = await store.circuit(name);
    if (circuit !== undefined && circuit.probeTime > now) return [];
    const count = circuit === undefined ? target.concurrency : 1;
    return Array.from({ length: count }, (_, lane) => ({ target: name, lane }));
  }

  return {
    jobOf,
    async jobsFor(names) {
      const jobs: NewJob[] = [];
      for (const name of names) jobs.push(...(await slotsOf(name)).map(jobOf));
      return jobs;
    },
  };
}
