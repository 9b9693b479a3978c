// An operator has released a task that was held for an identity that its lookup does not give any more: which lookups
// are made anew, and what they gave is dropped.
import type { KnownTask } from './identified-tasks.ts';

/**
 * Of the targets that looked up. Where one has erased by what it gave, the rows that gave it are gone: other tasks of
 * the request that are not done may still need it.
 */
export function droppedLookups(
  released: number,
  sources: readonly string[],
  tasks: readonly DoneOrOpen[],
): { readonly dropped: readonly string[]; readonly isLookedUpAgain: boolean } {
  const hasErasedAt = (source: string) =>
    tasks.some(({ target, hasErased }) => target === source && hasErased);
  const isNeeded = tasks.some((task) => task.taskNo !== released && mayUse(task));
  const dropped = sources.filter((source) => !hasErasedAt(source) || !isNeeded);
  return { dropped, isLookedUpAgain: dropped.some((source) => !hasErasedAt(source)) };
}

type DoneOrOpen = Pick<
  KnownTask,
  'taskNo' | 'target' | 'connector' | 'state' | 'reason' | 'hasErased'
>;

/** A task that is held for the same reason cannot use the lookup either, and manual tasks do not use it. */
function mayUse({ state, reason, connector }: DoneOrOpen): boolean {
  return state !== 'erased' && connector !== 'manual' && reason !== 'unproven_identity';
}
