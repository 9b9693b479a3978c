// Which requests start, and how many of a controller on one day.
import type { RequestStatus } from '@unwrite/protocol';
import { isLimitReached } from '../limit/daily-count.ts';
import { isEntered } from './entered.ts';

export interface StartableRequest {
  readonly requestNo: number;
  readonly controllerId: string;
  readonly status: RequestStatus;
  readonly isPlanned: boolean;
  /** It was never started before, so it counts towards the daily limit. */
  readonly isFirst: boolean;
  /** The operator who asked for it. */
  readonly askedBy: string | null;
  /** The actor that submitted it. */
  readonly createdBy: string;
  /** Number of sealed identity sets that it has now. */
  readonly sealed: number;
}

/**
 * Whether it was neither cancelled nor started meanwhile, and got no identities since it was planned: a plan made
 * without identities must not replace one made with those that an operator added.
 */
export function isStartable(request: StartableRequest, plannedFor: number): boolean {
  const { status, isPlanned, sealed } = request;
  const isDue = status === 'pending' || (status === 'in_progress' && !isPlanned);
  return isDue && sealed === plannedFor;
}

/**
 * Requests that were started before, or that an operator asked to start, are never delayed; but those that an operator
 * entered are, whoever asks.
 */
export function withinTheDay<Request extends StartableRequest>(
  requests: readonly Request[],
  maxStartsPerDay: number,
  /** Requests started on this day, by controller. */
  started: ReadonlyMap<string, number>,
): Request[] {
  const counts = new Map(started);
  return requests.filter((request) => {
    const { controllerId, isFirst, askedBy } = request;
    if (!isFirst) return true;
    const count = counts.get(controllerId) ?? 0;
    const isBound = askedBy === null || isEntered(request);
    if (isBound && isLimitReached(count, maxStartsPerDay)) return false;
    counts.set(controllerId, count + 1);
    return true;
  });
}
