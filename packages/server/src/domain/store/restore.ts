// Rules for detecting that a backup of the store was restored, or that its newest rows were lost. Until an
// operator has confirmed, nothing starts.
import type { RequestStatus } from '@unwrite/protocol';
import type { KnownHead } from '../audit/proof-ports.ts';
import type { RequestKey, RequestState } from '../request/request.ts';

/** Who sets the pause that nodes of earlier versions understand, too. */
export const SYSTEM = 'system';

/** A head as a node wrote it down, outside of the store. */
export interface RecordedHead extends KnownHead {
  /** When it was sealed; 0 where the record does not say. */
  readonly time: number;
  /** The newest restore that was known then; earlier versions did not write it down. */
  readonly lastRestoreNo?: number;
}

export interface Restore {
  readonly restoreNo: number;
  readonly detectedTime: number;
  /** A node, or an operator who said so. */
  readonly detectedBy: string;
  /** What the store lacks, and who knows it. */
  readonly reason: string;
  /** The newest head of the store at that time; 0: none. */
  readonly lastHeadNo: number;
  /** When an operator last went through the list; null: not since it has grown. */
  readonly reviewedTime: number | null;
  readonly confirmedTime: number | null;
}

/** What is known to have happened to a request, from outside of the store. */
export interface Happened extends RequestKey {
  readonly what: 'cancelled' | 'started' | 'completed';
  readonly time: number;
  /** When the request was received, where that is known: another one of the same id has another time. */
  readonly requestTime?: number;
}

/** With its source: a node, or the file that it was read from. */
export interface Finding extends Happened {
  readonly source: string;
}

/**
 * A head that the store lacks was lost in a restore that was gone through, or in one that was not. What was written down
 * after a restore was not lost in it, also where the clock was ahead when it was noticed.
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

/** Whether the store has not come as far as that. */
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
  const { time } = happened;
  if (state?.status === 'cancelled') return false;
  if (state?.status === 'pending' && isSame(happened, state)) return true;
  if (isForgotten(happened, state, forgottenBefore)) return false;
  const since = restores.filter(({ detectedTime }) => time <= detectedTime);
  // It was lost with the restore, and the controller has submitted it again.
  if (state !== undefined && since.some((it) => state.receivedTime > it.detectedTime)) return false;
  if (state?.status === 'pending') return true;
  return !since.some(({ confirmedTime }) => confirmedTime !== null);
}

type Received = Pick<RequestState, 'receivedTime'>;

/** Whatever the clock said when it was received, and says now. */
function isSame({ requestTime }: Happened, { receivedTime }: Received): boolean {
  return receivedTime === requestTime;
}

/**
 * When it happened, for the list: never before the request was received, also where the clock was set back in between.
 * What is listed as earlier than its request is taken for what happened to another one of the same id.
 */
export function timeForList(happened: Happened, state: Received | undefined): number {
  const { time } = happened;
  const isIts = state !== undefined && isSame(happened, state);
  return isIts ? Math.max(time, state.receivedTime) : time;
}

/** Submitted again since the restore was noticed: that is another request, of the same id. */
export function isLater(
  { time }: Pick<Happened, 'time'>,
  receivedTime: number,
  detectedTime: number,
): boolean {
  return receivedTime > detectedTime && receivedTime > time;
}

/** The store forgets what is old; its id may have come again since. What is older than its cancellation is that very request. */
function isForgotten(
  { time }: Pick<Happened, 'time'>,
  found: Pick<RequestState, 'receivedTime'> | undefined,
  forgottenBefore: number,
): boolean {
  return time < forgottenBefore && (found === undefined || found.receivedTime > time);
}

/** The same, of a pending request that is about to start: where a restore was gone through since, confirming cancelled it. */
export function contradictsStart(
  happened: Happened,
  state: Received,
  restores: readonly Restore[],
  forgottenBefore: number,
): boolean {
  if (isSame(happened, state)) return true;
  if (isForgotten(happened, state, forgottenBefore)) return false;
  const { time } = happened;
  return !restores.some((it) => it.confirmedTime !== null && time <= it.detectedTime);
}

/** What confirming does about a request that is known to have been cancelled. */
export function cancelsAgain(
  status: RequestStatus | undefined,
  /** A worker has had one of its tasks. */
  isWorkedOn: boolean,
): boolean {
  return status === 'pending' || (status === 'in_progress' && !isWorkedOn);
}
