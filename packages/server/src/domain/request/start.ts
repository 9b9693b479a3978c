// Which requests start, and how many of a controller on one day.
import type { RequestStatus } from '@unwrite/protocol';
import { isLimitReached } from '../limit/daily-count.ts';

export interface StartableRequest {
  readonly requestNo: number;
  readonly controllerId: string;
  readonly status: RequestStatus;
  readonly isPlanned: boolean;
  /** It was never started before: it counts for its day. */
  readonly isFirst: boolean;
  /** The operator who asked for it. */
  readonly askedBy: string | null;
  /** Sealed identities that it has now. */
  readonly sealed: number;
}

/**
 * Only what was neither cancelled nor started meanwhile. And not where identities came since it was planned: a
 * plan without identities must not outlive an operator who adds some.
 */
export function isStartable(request: StartableRequest, plannedFor: number): boolean {
  const { status, isPlanned, sealed } = request;
  const isDue = status === 'pending' || (status === 'in_progress' && !isPlanned);
  return isDue && sealed === plannedFor;
}

/** Neither what was started before nor what an operator asked for is ever delayed. */
export function withinTheDay<Request extends StartableRequest>(
  requests: readonly Request[],
  maxStartsPerDay: number,
  /** By controller: started on this day. */
  started: ReadonlyMap<string, number>,
): Request[] {
  const counts = new Map(started);
  return requests.filter(({ controllerId, isFirst, askedBy }) => {
    if (!isFirst) return true;
    const count = counts.get(controllerId) ?? 0;
    if (askedBy === null && isLimitReached(count, maxStartsPerDay)) return false;
    counts.set(controllerId, count + 1);
    return true;
  });
}
