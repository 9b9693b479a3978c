// Forgetting old data, and questions about what was erased.
import type { RequestStatus, SubjectRequestId } from '@unwrite/protocol';
import type { Actor } from '../task/operator-ports.ts';
import type { PlannedTask } from '../task/task.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { Outcome } from './outcome.ts';
import type { RequestKey } from './request.ts';

/** Each call is a short transaction with at most `max` requests. */
export interface ForgettingStore {
  anyToShred(completedUntil: number): Promise<boolean>;
  /** Deletes the keys of the requests' identities; returns how many requests. */
  shred(completedUntil: number, max: number, now: number): Promise<number>;
  anyToForget(finalUntil: number): Promise<boolean>;
  /** Deletes final requests with everything that belongs to them; returns how many. */
  forget(finalUntil: number, max: number): Promise<number>;
  /** Times of the newest head that is at least that old, and of the oldest head after it. */
  headsAround(
    time: number,
  ): Promise<{ readonly before: number | null; readonly after: number | null }>;
  anyAuditToCut(sealedUntil: number): Promise<boolean>;
  /** Deletes data that no request needs any more, and counts and alarms of that age. */
  sweep(until: number): Promise<void>;
  recordForgotten(
    counts: { readonly requests: number; readonly rows: number },
    now: number,
  ): Promise<void>;
}

/** For stores that keep old final requests apart. The API still finds them until they are forgotten. */
export interface RequestArchive {
  /** Asked often, so it is a single index lookup. */
  anyToArchive(finalUntil: number): Promise<boolean>;
  /** Archives at most this many, oldest first; returns how many. */
  archive(finalUntil: number, max: number): Promise<number>;
}

export interface EraseAgainQuery {
  readonly target: string;
  readonly since: number;
  readonly until: number;
  /** Controllers whose data the target holds; null means all. */
  readonly controllers: readonly ControllerId[] | null;
}

export interface EraseAgainCounts {
  /** Requests that get another run. */
  readonly runs: number;
  /** Requests whose identities are shredded, so that the person is not known any more. */
  readonly shredded: number;
  /** Requests that already have an open task at the target. */
  readonly open: number;
  /** Requests that named no identity. */
  readonly nobody: number;
}

/** Digests of a person at one controller; they differ between controllers. */
export interface IdentityLookup {
  readonly controllerId: ControllerId;
  readonly digests: readonly Uint8Array[];
}

export interface Seen {
  readonly subjectRequestId: SubjectRequestId;
  readonly status: RequestStatus;
  readonly receivedTime: number;
  readonly completedTime: number | null;
  readonly outcome: Outcome;
}

export interface ForgettingOperator {
  countEraseAgain(query: EraseAgainQuery): Promise<EraseAgainCounts>;
  /** Runs in transactions of a few hundred requests; returns how many runs were made. */
  eraseAgain(query: EraseAgainQuery, task: PlannedTask, by: Actor): Promise<number>;
  /** For each of these people the controller's requests that named it by one of its digests; oldest first. */
  seen(
    controllerId: ControllerId,
    people: readonly (readonly Uint8Array[])[],
    by: Actor,
  ): Promise<Seen[][]>;
  /** The requests that named a person, of several controllers at once. */
  named(lookups: readonly IdentityLookup[], by: Actor): Promise<RequestKey[]>;
}
