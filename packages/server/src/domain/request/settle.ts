// What happens to a request when none of its tasks is open any more.
import type { RequestStatus } from '@unwrite/protocol';

export interface DoneRequest {
  readonly requestNo: number;
  readonly status: RequestStatus;
  readonly isPlanned: boolean;
  /** An operator asked to erase again. */
  readonly isAgain: boolean;
  readonly isReceipted: boolean;
}

/** A request without a plan has no tasks yet: it must not complete. */
export const completes = ({ status, isPlanned }: DoneRequest): boolean =>
  status === 'in_progress' && isPlanned;

/** The status stays `completed`. */
export const endsEraseAgain = ({ status, isAgain }: DoneRequest): boolean =>
  status === 'completed' && isAgain;

/** A later run of a completed request: its receipt gets an addendum. */
export const wantsAddendum = ({ status, isReceipted }: DoneRequest): boolean =>
  status === 'completed' && isReceipted;
