// Rules for detecting that a backup of the store was restored, or that its newest rows were lost. Until an
// operator has confirmed, nothing starts.
import type { RequestStatus } from '@unwrite/protocol';
import type { KnownHead } from '../audit/proof-ports.ts';
import type { RequestKey, RequestState } from '../request/request.ts';

/** Actor of the pause that a restore is. */
export const SYSTEM = 'system';

/** A head that a node recorded outside the store. */
export interface RecordedHead extends KnownHead {
  /** When it was sealed; 0 if the record does not say. */
  readonly time: number;
  /** The newest restore that was known then. */
  readonly lastRestoreNo?: number;
}

export interface Restore {
  readonly restoreNo: number;
  readonly detectedTime: number;
  /** A node, or the operator who declared it. */
  readonly detectedBy: string;
  /** What the store lacks, and where it is known from. */
  readonly reason: string;
  /** The newest head of the store at that time; 0 if there was none. */
  readonly lastHeadNo: number;
  /** When an operator last reviewed the list; null if it has grown since. */
  readonly reviewedTime: number | null;
  readonly confirmedTime: number | null;
}

/** Something that happened to a request, known from outside the store. */
export interface Happened extends RequestKey {
  readonly what: 'cancelled' | 'started' | 'completed';
  readonly time: number;
  /** When the request was received, if known. A later request with the same id has another time. */
  readonly requestTime?: number;
  /** The newest restore that was known then, if that was written down. */
  readonly lastRestoreNo?: number;
}

/** A known event with its source: a node, or the file that it was read from. */
export interface Finding extends Happened {
  readonly source: string;
}

/**
 * Whether a head that the store lacks was lost in a restore that is confirmed, or in a new one. A head that was recorded
 * after a restore was not lost in it, even if the clock was ahead when the restore was noticed.
 */
export function judgeHead(
  head: RecordedHead,
  isInStore: boolean,
  restores: readonly Restore[],
): 'there' | 'confirmed' | 'went back' {
  if (isInStore) return 'there';
  const isLost = restores.some(
    (it) =>
      it.confirmedTime !== null &&
      head.time <= it.detectedTime &&
      (head.lastRestoreNo ?? 0) < it.restoreNo &&
      head.headNo > it.lastHeadNo,
  );
  return isLost ? 'confirmed' : 'went back';
}

/** Whether the store ends before that head. */
export function isBehind(
  { what }: Pick<Happened, 'what'>,
  status: RequestStatus | undefined,
): boolean {
  switch (what) {
    case 'cancelled':
      return status !== 'cancelled';
    case 'started':
      return status === undefined || status === 'pending';
    case 'completed':
      return status === undefined || status === 'pending' || status === 'in_progress';
  }
}

/**
 * Whether the store contradicts a cancellation that was answered with 202. A pending request always does:
 * confirming a restore would have cancelled it. Requests in other states cannot be changed any more, and were
 * reported once.
 */
export function contradicts(
  happened: Happened,
  state: Pick<RequestState, 'status' | 'receivedTime'> | undefined,
  restores: readonly Restore[],
  forgottenBefore: number,
): boolean {
  if (state?.status === 'cancelled') return false;
  if (state?.status === 'pending' && isSame(happened, state)) return true;
  if (isAnother(happened, state) || isForgotten(happened, state, forgottenBefore)) return false;
  const since = restores.filter((it) => isBefore(happened, it));
  // It was lost with the restore, and the controller has submitted it again.
  if (state !== undefined && since.some((it) => state.receivedTime > it.detectedTime)) return false;
  if (state?.status === 'pending') return true;
  return !since.some(({ confirmedTime }) => confirmedTime !== null);
}

type Received = Pick<RequestState, 'receivedTime'>;

/** Compares received times, so the current clock does not matter. */
function isSame({ requestTime }: Happened, { receivedTime }: Received): boolean {
  return receivedTime === requestTime;
}

function isAnother(happened: Happened, state: Received | undefined): boolean {
  return happened.requestTime !== undefined && state !== undefined && !isSame(happened, state);
}

/** Whether it happened before the restore, and was lost in it. Its time may be later: the clock may have been ahead. */
function isBefore({ time, lastRestoreNo }: Happened, restore: Restore): boolean {
  return time <= restore.detectedTime || (lastRestoreNo ?? restore.restoreNo) < restore.restoreNo;
}

/**
 * Time of the event for the list: never before the request was received, even if the clock was set back in
 * between. An event listed before its request would be taken for one of another request with the same id. If the
 * store lacks the request, never after the restore: one that is submitted again is another.
 */
export function timeForList(
  happened: Happened,
  state: Received | undefined,
  restores: readonly Restore[],
): number {
  const { time } = happened;
  if (state !== undefined)
    return isSame(happened, state) ? Math.max(time, state.receivedTime) : time;
  const open = restores.find(({ confirmedTime }) => confirmedTime === null);
  return Math.min(time, open?.detectedTime ?? time);
}

/** Whether the request was submitted again after the restore was detected: another request with the same id. */
export function isLater(
  { time }: Pick<Happened, 'time'>,
  receivedTime: number,
  detectedTime: number,
): boolean {
  return receivedTime > detectedTime && receivedTime > time;
}

/** The store forgets old requests, and ids may be reused. A request older than its cancellation is the same one. */
function isForgotten(
  { time }: Pick<Happened, 'time'>,
  found: Pick<RequestState, 'receivedTime'> | undefined,
  forgottenBefore: number,
): boolean {
  return time < forgottenBefore && (found === undefined || found.receivedTime > time);
}

/** The same for a pending request that is about to start. */
export function contradictsStart(
  happened: Happened,
  { receivedTime }: Received,
  restores: readonly Restore[],
  forgottenBefore: number,
): boolean {
  return contradicts(happened, { status: 'pending', receivedTime }, restores, forgottenBefore);
}

/** What confirming does about a request that is known to have been cancelled. */
export function cancelsAgain(
  status: RequestStatus | undefined,
  /** A worker has leased one of its tasks. */
  isWorkedOn: boolean,
): boolean {
  return status === 'pending' || (status === 'in_progress' && !isWorkedOn);
}
