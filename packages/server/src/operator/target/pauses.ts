// Pauses and resumes all erasing, or erasing at one target.
import type { Store } from '../../domain/store/store.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { DAMAGED_LOG, EVERYTHING, type Pause } from '../../domain/task/pause-ports.ts';
import { isoTime } from '../iso-time.ts';
import { requireTarget } from './find-target.ts';

/** Pauses everything if `target` is undefined. Returns whether it was not paused before. */
export async function pauseErasing(
  store: Pick<Store, 'pauses' | 'tasks'>,
  targets: readonly TargetConfig[],
  target: string | undefined,
  by: Actor,
): Promise<boolean> {
  await requireTarget(target, targets, store);
  return store.pauses.pause(target ?? EVERYTHING, by);
}

/** Returns whether it was paused. */
export async function resumeErasing(
  store: Pick<Store, 'pauses' | 'restores'>,
  target: string | undefined,
  by: Actor,
): Promise<boolean> {
  if (target === undefined && (await store.restores.state()).openNo !== null) {
    throw new NotPossible(
      'the store went back in time, and requests that were cancelled since may be pending again: "unwrite restored review" lists what is known, and "unwrite restored confirm" lets erasing go on',
    );
  }
  const isLogDamaged = ({ scope, pausedBy }: Pause) =>
    scope === EVERYTHING && pausedBy === DAMAGED_LOG;
  if (target === undefined && (await store.pauses.list()).some(isLogDamaged)) {
    throw new NotPossible(
      'someone else wrote to the audit log: "unwrite audit verify" names what was changed, and "unwrite audit accept" lets erasing go on',
    );
  }
  return store.pauses.resume(target ?? EVERYTHING, by);
}

export function pauseShape({ scope, pausedTime, pausedBy }: Pause) {
  const target = scope === EVERYTHING ? null : scope;
  return { target, paused_time: isoTime(pausedTime), paused_by: pausedBy };
}

export function isPaused(target: string, pauses: readonly Pause[]): boolean {
  return pauses.some(({ scope }) => scope === EVERYTHING || scope === target);
}
