// The jobs that a sweep enqueues: one for each worker slot of each target with work.
import { isOpen } from '../domain/target/hours.ts';
import type { NewJob } from './jobs.ts';
import type { QueueParts } from './queue.ts';

export interface Slot {
  readonly target: string;
  /**
   * Number of the slot, from 0. Null: a job for a node that does not have this target, which passes its tasks to an
   * operator. The name must not change, because nodes of other versions read these jobs.
   */
  readonly lane: number | null;
}

/** `removedAfter`: seconds. */
export function slotJob(data: Slot, removedAfter: number): NewJob<Slot> {
  const { target, lane: slotNo } = data;
  if (slotNo === null) return { key: `${target} removed`, data, startAfter: removedAfter };
  // The first slot of each target comes before the second one of any.
  return { key: `${target} ${slotNo}`, data, group: target, priority: -slotNo };
}

/** None if the target is outside its hours or down. */
export async function slotsOf(
  name: string,
  { store, targets, clock }: Pick<QueueParts, 'store' | 'targets' | 'clock'>,
): Promise<Slot[]> {
  const target = targets.get(name);
  if (target === undefined) return [0, null].map((lane) => ({ target: name, lane }));
  const now = clock();
  if (target.hours && !isOpen(target.hours, now)) return [];
  const circuit = await store.circuit(name);
  if (circuit !== undefined && circuit.probeTime > now) return [];
  const count = circuit === undefined ? target.concurrency : 1;
  return Array.from({ length: count }, (_, lane) => ({ target: name, lane }));
}
