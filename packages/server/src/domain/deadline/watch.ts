// Which requests are close enough to a deadline to be watched: by their age, or because they were submitted
// long before they arrived. Until then deadlines cost nothing.
import { parseTimestamp } from '@unwrite/protocol';
import { DAY_MS } from '../time-units.ts';

/** Less than half of the shortest month, minus a day for requests that were submitted before they arrived. */
const WATCHED_AGE = 12 * DAY_MS;
const EARLY = DAY_MS;
/** New requests are looked at this often. */
const LOOK_MS = 60_000;

/** Requests received, or runs asked for, up to this time are old enough to be watched. */
export function watchedUntil(now: number): number {
  return now - WATCHED_AGE;
}

export interface WatchProgress {
  /** Open requests received up to this time are watched. */
  readonly seenReceived: number;
  /** Requests up to this number were checked for a submission long before their arrival. */
  readonly seenRequestNo: number;
  readonly lookedTime: number;
}

/** Whether to look at new requests again. A time in the future means that the clock was set back. */
export function mayLookAtNew(lookedTime: number, now: number): boolean {
  return lookedTime <= now - LOOK_MS || lookedTime > now;
}

export interface NewRequestRow {
  readonly requestNo: number;
  readonly submittedTime: string;
  readonly receivedTime: number;
  readonly isOpen: boolean;
}

/** Also true for a time that cannot be parsed, and for a deadline that had passed on arrival. */
export function isWatchedEarly(
  { isOpen, submittedTime, receivedTime }: NewRequestRow,
  { seenReceived }: Pick<WatchProgress, 'seenReceived'>,
): boolean {
  if (!isOpen) return false;
  return (
    (parseTimestamp(submittedTime) ?? 0) < receivedTime - EARLY || receivedTime <= seenReceived
  );
}

/**
 * How far new requests were looked at. If a lower number can become visible after a higher one, young requests
 * are looked at again. A request with a time in the future is not waited for: the clock was set back.
 */
export function progressAfter(
  rows: readonly NewRequestRow[],
  before: WatchProgress,
  {
    now,
    lateNumbersMs,
    isFullPage,
  }: { readonly now: number; readonly lateNumbersMs: number; readonly isFullPage: boolean },
): Pick<WatchProgress, 'seenRequestNo' | 'lookedTime'> {
  const settled = rows.findLast(
    ({ receivedTime }) => Math.abs(now - receivedTime) >= lateNumbersMs,
  );
  const isMore = isFullPage && settled !== undefined;
  return {
    seenRequestNo: settled?.requestNo ?? before.seenRequestNo,
    lookedTime: isMore ? before.lookedTime : now,
  };
}
