// What became of a request, as far as the audit log says: its status is a column that others can write to.
import type { RequestStatus } from '@unwrite/protocol';
import type { RequestKey, RequestState } from './request.ts';

/** Rows that decide. */
export const STATUS_ACTIONS = [
  'request.started',
  'request.completed',
  'request.cancelled',
] as const;

/** What a request stays: told to its controller as the end of it. */
export function isFinal(status: RequestStatus): boolean {
  return status === 'completed' || status === 'cancelled';
}

export interface StatusRow {
  readonly time: number;
  readonly action: string;
  /** Known to be under its number. */
  readonly isOwn?: boolean;
}

/**
 * By rows about its id that authenticate. What stands under another number and is older is about an earlier request of the same
 * id, which was forgotten. Under its own number, time does not matter: a clock may have been set back.
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

/** The status that the log gives it. Undefined: rows of its time may have been cut. */
export type ReadLoggedStatus = (
  request: RequestKey,
  state: RequestState,
) => Promise<RequestStatus | undefined>;
