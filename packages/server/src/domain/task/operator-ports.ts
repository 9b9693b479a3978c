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

/** Limits what is read of the tasks that an operator has to decide about, of which there may be very many. */
export interface AttentionFilter {
  readonly target?: string;
  readonly held?: ReasonFilter;
  readonly failed?: ReasonFilter;
}

export interface AttentionQuery {
  readonly now: number;
  readonly cancellationWindowMs: number;
  /** Targets outside their hours, now or until a moment ago: their tasks may wait for a day. */
  readonly patientTargets: readonly string[];
  /** Milliseconds by target: how long a batch may take by the target's timeouts. */
  readonly batchLimits?: ReadonlyMap<string, number>;
  /** Left out or null means no limit. */
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
  /** Outcomes for the persons of the requests, by the number of the request. */
  outcomes(
    requests: readonly Pick<RequestSummary, keyof RequestKey | 'requestNo' | 'status'>[],
  ): Promise<ReadonlyMap<number, Outcome>>;
  sealedIdentities(request: RequestKey): Promise<SealedIdentities[]>;
}

/** The state does not allow the action; the message names the state and what is possible. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible';
}

export interface Actor {
  readonly actor: string;
  readonly now: number;
  /** When the task last changed, as the operator saw it: a later change refuses the action. */
  readonly seenChange?: number;
  /** The same for a request: its state when the operator decided. */
  readonly seenRequest?: { readonly status: RequestStatus; readonly identityCount: number };
}

/** The controller has told the person that it needs longer. */
export interface Extension {
  readonly until: number;
  readonly reason: string;
}

export interface TaskOperator {
  /** The server starts the request within about a second. */
  askStart(request: RequestKey, by: Actor): Promise<void>;
  cancel(request: RequestKey, reason: string, by: Actor): Promise<void>;
  /** Moves the statutory deadline, and nothing else. */
  extend(request: RequestKey, extension: Extension, by: Actor): Promise<void>;
  /** Makes tasks that wait for their next attempt due now; returns how many. */
  retry(request: RequestKey, by: Actor): Promise<number>;
  /** Tasks that are done or under way get another run with all identities. */
  identify(
    request: RequestKey,
    identities: { readonly sealed: SealedBytes; readonly digests: readonly Uint8Array[] },
    by: Actor,
  ): Promise<void>;
  /** A released task erases at most what was previewed. */
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
  /** Records that an identity of the request was shown in clear. */
  recordReveal(
    request: RequestKey,
    detail: { readonly identity: number; readonly reason: string },
    by: Actor,
  ): Promise<void>;
}
