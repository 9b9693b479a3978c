// The jobs that a sweep posts: one for each lane of each target with work.
import { isOpen } from '../domain/target/hours.ts';
import type { NewJob } from './job-board.ts';
import type { QueueParts } from './queue.ts';

export interface Lane {
  readonly target: string;
  /** null: for whoever does not know the target, so that a person gets to see its tasks. */
  readonly lane: number | null;
}

export interface LaneJobs {
  jobOf(lane: Lane): NewJob;
  jobsFor(targets: readonly string[]): Promise<NewJob[]>;
}

/** `removedAfter`: seconds. */
export function createLaneJobs(
  { store, targets, clock }: Pick<QueueParts, 'store' | 'targets' | 'clock'>,
  removedAfter: number,
): LaneJobs {
  function jobOf(data: Lane): NewJob {
    const { target, lane } = data;
    if (lane === null) return { key: `${target} removed`, data, afterSeconds: removedAfter };
    // A lane of each target comes before a second one of any.
    return { key: `${target} ${lane}`, data, group: target, priority: -lane };
  }

  /** None where they would find the target closed. */
  async function lanesOf(name: string): Promise<Lane[]> {
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
      for (const name of names) jobs.push(...(await lanesOf(name)).map(jobOf));
      return jobs;
    },
  };
}
