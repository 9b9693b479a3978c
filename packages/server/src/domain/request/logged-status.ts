// The status of a request according to the audit log: the status column can be changed by anyone with write
// access.
import type { RequestStatus } from '@unwrite/protocol';
import type { RequestKey, RequestState } from './request.ts';

/** Actions that decide the status. */
export const STATUS_ACTIONS = [
  'request.started',
  'request.completed',
  'request.cancelled',
] as const;

/** Whether the status never changes again. */
export function isFinal(status: RequestStatus): boolean {
  return status === 'completed' || status === 'cancelled';
}

export interface StatusRow {
  readonly time: number;
  readonly action: string;
  /** The row is known to be about this request's number. */
  readonly isOwn?: boolean;
}

/**
 * Decides by rows about the request's id with a valid MAC. Older rows under another number are about an earlier
 * request with the same id, which was forgotten. Rows under its own number count regardless of their time: a
 * clock may have been set back.
 */
export function loggedStatus(
  { receivedTime }: Pick<RequestState, 'receivedTime'>,
  rows: readonly StatusRow[],
): RequestStatus {
  const has = (action: (typeof STATUS_ACTIONS)[number]) =>
    rows.some((row) => row.action === action && (row.isOwn === true || row.time >= receivedTime));
  if (has('request.cancelled')) return 'cancelled';
  if (has('request.completed')) return 'completed';
  return has('request.started') ? 'in_progress' : 'pending';
}

/** The status according to the log. Undefined if retention may have removed the rows. */
export type ReadLoggedStatus = (
  request: RequestKey,
  state: RequestState,
) => Promise<RequestStatus | undefined>;
