// What is forgotten when its time has come, and what is asked about what was erased.
import type { RequestStatus, SubjectRequestId } from '@unwrite/protocol';
import type { Actor } from '../task/operator-ports.ts';
import type { PlannedTask } from '../task/task.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { Outcome } from './outcome.ts';
import type { RequestKey } from './request.ts';

/** All in short transactions of at most so many requests. */
export interface ForgettingStore {
  anyToShred(completedUntil: number): Promise<boolean>;
  /** Deletes what opens their identities; answers how many requests. */
  shred(completedUntil: number, max: number, now: number): Promise<number>;
  anyToForget(finalUntil: number): Promise<boolean>;
  /** Deletes final requests with all that hangs on them; answers how many. */
  forget(finalUntil: number, max: number): Promise<number>;
  /** The times of the newest head that is not younger than that, and of the oldest one after it. */
  headsAround(
    time: number,
  ): Promise<{ readonly before: number | null; readonly after: number | null }>;
  anyAuditToCut(sealedUntil: number): Promise<boolean>;
  /** What no request needs any more, and counts and alarms of that age. */
  sweep(until: number): Promise<void>;
  recordForgotten(
    counts: { readonly requests: number; readonly rows: number },
    now: number,
  ): Promise<void>;
}

/** Where a store keeps old final requests apart. They still answer, until they are forgotten. */
export interface RequestArchive {
  /** Asked often: one look into an index. */
  anyToArchive(finalUntil: number): Promise<boolean>;
  /** At most this many, the oldest first; answers how many. */
  archive(finalUntil: number, max: number): Promise<number>;
}

export interface EraseAgainQuery {
  readonly target: string;
  readonly since: number;
  readonly until: number;
  /** Those whom the target is for; null for all. */
  readonly controllers: readonly ControllerId[] | null;
}

export interface EraseAgainCounts {
  /** Get another run. */
  readonly runs: number;
  /** Their identities are shredded: it is not known any more who is meant. */
  readonly shredded: number;
  /** Have an open task at the target already. */
  readonly open: number;
  /** No identity was named. */
  readonly nobody: number;
}

/** A person has other digests with each controller. */
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
  /** In transactions of some hundreds; answers how many runs were made. */
  eraseAgain(query: EraseAgainQuery, task: PlannedTask, by: Actor): Promise<number>;
  /** Which requests of the controller named one of these, by their digests; oldest first. */
  seen(controllerId: ControllerId, digests: readonly Uint8Array[], by: Actor): Promise<Seen[]>;
  /** The requests that named a person, of several controllers at once. */
  named(lookups: readonly IdentityLookup[], by: Actor): Promise<RequestKey[]>;
}
