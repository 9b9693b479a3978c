// The one resource: an erasure request of a controller.
import type { Regulation, RequestStatus, SubjectRequestId } from '@unwrite/protocol';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { Identity } from './identity.ts';

/** What names a request. Ids are unique per controller only: see docs/adr/0004. */
export interface RequestKey {
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
}

export interface NewRequest extends RequestKey {
  readonly regulation: Regulation;
  /** As submitted; RFC 3339. */
  readonly submittedTime: string;
  readonly identities: readonly Identity[];
  /** Domains of the processors that have forwarded it; absent if none has. Sealed with the identities. */
  readonly via?: readonly string[];
  readonly actor: string;
}

export type CreateOutcome =
  | { readonly outcome: 'created'; readonly receivedTime: number }
  | { readonly outcome: 'exists' };

export interface CancelCommand extends RequestKey {
  readonly actor: string;
}

export type CancelOutcome =
  | {
      readonly outcome: 'cancelled';
      readonly receivedTime: number;
      readonly subjectRequestId: SubjectRequestId;
      /** When the request itself was received. */
      readonly requestTime: number;
    }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'not_pending'; readonly status: RequestStatus };

/** For a request that is not pending; undefined: there is none. */
export function notCancelled(status: RequestStatus | undefined): CancelOutcome {
  return status === undefined ? { outcome: 'not_found' } : { outcome: 'not_pending', status };
}

export interface RequestState {
  /** As submitted at creation, even if the path has another case. */
  readonly subjectRequestId: SubjectRequestId;
  readonly status: RequestStatus;
  readonly receivedTime: number;
}

/** One line of `unwrite request list`. */
export interface RequestSummary extends RequestState {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly regulation: Regulation;
  readonly submittedTime: string;
  /** The actor that submitted it. */
  readonly createdBy: string;
  readonly cancelledTime: number | null;
  readonly completedTime: number | null;
  readonly identityCount: number;
  /** The statutory deadline, where the controller has extended it. */
  readonly extendedUntil: number | null;
}
