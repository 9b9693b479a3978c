// What operators see and do after a request has started. Every action writes an audit row with the person's
// name in the same transaction.

import type { RequestStatus } from '@unwrite/protocol';
import type { Outcome } from '../request/outcome.ts';
import type { RequestKey, RequestSummary } from '../request/request.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { OpenCircuit, SealedBytes, SealedIdentities } from './fulfilment-ports.ts';
import type { AttentionLine, Plan, TaskState, TaskSummary } from './task.ts';

export interface TaskFilter {
  readonly taskNo?: number;
  readonly controllerId?: ControllerId;
  readonly subjectRequestId?: string;
  readonly target?: string;
  readonly connector?: string;
  readonly state?: TaskState;
  readonly reason?: string;
  readonly limit: number;
}

/** Matches held and failed tasks with one of the reasons or, if `isIn` is false, with any other reason. */
export interface ReasonFilter {
  readonly isIn: boolean;
  readonly reasons: readonly string[];
}

/** What to read of the tasks that somebody has to decide about, where there may be very many. */
export interface AttentionFilter {
  readonly target?: string;
  readonly held?: ReasonFilter;
  readonly failed?: ReasonFilter;
}

export interface AttentionQuery {
  readonly now: number;
  readonly cancellationWindowMs: number;
  /** Targets that are closed by their hours, or were until just now, may wait for a day. */
  readonly patientTargets: readonly string[];
  /** Milliseconds by target: what its time limits explain of a batch. */
  readonly batchLimits?: ReadonlyMap<string, number>;
  /** Left out: no limit. */
  readonly maxStartsPerDay?: number | null;
  readonly controllerId?: ControllerId;
  readonly only?: AttentionFilter;
  readonly limit: number;
}

export interface TaskCatalogue {
  /** Oldest request first. */
  tasks(filter: TaskFilter): Promise<TaskSummary[]>;
  /** What is stuck or late; nearest deadline first. */
  attention(query: AttentionQuery): Promise<AttentionLine[]>;
  circuits(): Promise<OpenCircuit[]>;
  planOf(request: RequestKey): Promise<Plan['targets'] | undefined>;
  /** What became of its person; undefined where there is no such request. */
  outcomeOf(
    request: Pick<RequestSummary, keyof RequestKey | 'status'>,
  ): Promise<Outcome | undefined>;
  sealedIdentities(request: RequestKey): Promise<SealedIdentities[]>;
}

/** It is not in a state in which that can be done; the message says which, and what could be. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible';
}

export interface Actor {
  readonly actor: string;
  readonly now: number;
  /** When the task had changed last, as far as they know: it is refused where it has changed since. */
  readonly seenChange?: number;
  /** The same of a request: how it was when they decided. */
  readonly seenRequest?: { readonly status: RequestStatus; readonly identityCount: number };
}

export interface TaskOperator {
  /** The server starts it within a second or so. */
  askStart(request: RequestKey, by: Actor): Promise<void>;
  /** Tasks that wait for their next try are due at once; answers how many. */
  retry(request: RequestKey, by: Actor): Promise<number>;
  /** Tasks that are done, or under way, get another run with all identities. */
  identify(
    request: RequestKey,
    identities: { readonly sealed: SealedBytes; readonly digests: readonly Uint8Array[] },
    by: Actor,
  ): Promise<void>;
  /** Released, it erases at most what was previewed. */
  release(taskNo: number, by: Actor): Promise<void>;
  retain(
    taskNo: number,
    why: { readonly reason: string; readonly legalBasis: string },
    by: Actor,
  ): Promise<void>;
  confirm(taskNo: number, note: string, by: Actor): Promise<void>;
  recordPreview(
    controllerId: ControllerId,
    request: RequestKey | undefined,
    by: Actor,
  ): Promise<void>;
  /** An identity of the request was shown in clear. */
  recordReveal(
    request: RequestKey,
    detail: { readonly identity: number; readonly reason: string },
    by: Actor,
  ): Promise<void>;
}
