// Which requests are close enough to a deadline to be watched: by their age, or because they were submitted
// long before they arrived. Until then deadlines cost nothing.
import { parseTimestamp } from '@unwrite/protocol';

const DAY = 86_400_000;
/** Before half of the shortest month has passed, for all that were submitted at most a day earlier. */
const WATCHED_AGE = 12 * DAY;
const EARLY = DAY;
/** New requests are looked at this often. */
const LOOK_MS = 60_000;

/** Requests received until then are old enough; runs that were asked for until then, too. */
export function watchedUntil(now: number): number {
  return now - WATCHED_AGE;
}

export interface WatchProgress {
  /** Open requests received until then are watched. */
  readonly seenReceived: number;
  /** Up to this one, requests were looked at that had been submitted long before. */
  readonly seenRequestNo: number;
  readonly lookedTime: number;
}

/** Whether new requests may be looked at again; a time ahead means that the clock was set back. */
export function mayLookAtNew(lookedTime: number, now: number): boolean {
  return lookedTime <= now - LOOK_MS || lookedTime > now;
}

export interface NewRequestRow {
  readonly requestNo: number;
  readonly submittedTime: string;
  readonly receivedTime: number;
  readonly isOpen: boolean;
}

/** What cannot be read as a time is watched as well; and what came with a time that was passed already. */
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
 * How far the new ones were looked at. Where a lower number may come to sight after a higher one, younger
 * requests are looked at again. Of a time ahead, the clock was set back since: those are not waited for.
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
