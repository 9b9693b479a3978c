// Facts that affect a run of a request besides its targets: pauses, daily limits, releases.
import { isLimitReached } from '../../domain/limit/daily-count.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { PreviewFacts } from '../../domain/target/preview.ts';
import { isPaused } from '../target/pauses.ts';

/** More runs than a request can have in practice. */
const MAX_TASKS = 10_000;

export interface Facts extends PreviewFacts {
  /** The controller's daily limit of starts is reached, and the request has not started. */
  readonly startsTomorrow: boolean;
}

export async function readPreviewFacts(
  store: Pick<Store, 'pauses' | 'tasks' | 'clock'>,
  maxStartsPerDay: number | null,
  controllerId: string,
  request: RequestKey | undefined,
): Promise<Facts> {
  const pauses = await store.pauses.list();
  const tasks = request ? await store.tasks.tasks({ ...request, limit: MAX_TASKS }) : [];
  const starts = await store.pauses.usedToday('starts', controllerId, store.clock());
  return {
    startsTomorrow: tasks.length === 0 && isLimitReached(starts, maxStartsPerDay),
    isPaused: (target) => isPaused(target, pauses),
    rowsToday: (target) => store.pauses.usedToday('rows', target, store.clock()),
    taskAt: (target) => tasks.findLast((task) => task.target === target),
  };
}
