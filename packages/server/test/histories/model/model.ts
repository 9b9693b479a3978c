// What has to be true of requests, kept in memory and written from the contract and docs/: what was asked, what
// was answered, and what people have decided. It knows nothing of tables, leases or batches.
import type { RequestStatus } from '@unwrite/protocol';
import type { RequestKey } from '../../../src/domain/request/request.ts';

export interface ModelRequest {
  readonly name: string;
  readonly key: RequestKey;
  readonly receivedTime: number;
  /** When the time is over that the law gives. */
  readonly statutoryEnd: number;
  /** Of the world, when it came. */
  readonly since: number;
  readonly emails: string[];
  /** Any identity at all was given. */
  namesSomebody: boolean;
  /** It had started before anybody was named: it starts once more, with all targets. */
  startsAgain: boolean;
  status: RequestStatus;
  /** A cancellation was answered with 202. */
  isCancelled: boolean;
  isStartAsked: boolean;
  /** When it became completed or cancelled. */
  finalTime: number | undefined;
  /** Targets that it must have a task at; undefined before it is planned. */
  plan: readonly string[] | undefined;
  /** Asked to be erased again at these targets. */
  isAgain: boolean;
}

export interface ModelTask {
  readonly taskNo: number;
  readonly request: string;
  readonly target: string;
  evidence: string | undefined;
  runningSince: number | undefined;
  /** As it was last seen. */
  changedTime: number;
  /** Its rows may have gone in an attempt that cannot be asked about. */
}

export interface ModelHold {
  readonly holdNo: number;
  readonly controllerId: string;
  /** The name of the request, or the person's email. */
  readonly request?: string;
  readonly email?: string;
  readonly until: number | null;
}

export interface Lease {
  readonly worker: string;
  readonly time: number;
}

export class Violation extends Error {
  override readonly name = 'Violation';
}

export function createModel() {
  return {
    requests: new Map<string, ModelRequest>(),
    tasks: new Map<number, ModelTask>(),
    /** Targets, or `*`. */
    paused: new Set<string>(),
    /** Legal holds in force. */
    holds: new Map<number, ModelHold>(),
    /** By task: at most so many rows; null where none were counted. */
    released: new Map<number, number | null>(),
    /** By `controller day`. */
    starts: new Map<string, number>(),
    /** By worker and target: what was found when pauses and limits were last looked at. */
    lastLook: new Map<string, { readonly isPaused: boolean; readonly day: number }>(),
    /** Of tasks that were not released, under a limit of the day: the day that their rows count for. */
    dayOfTask: new Map<number, number>(),
    /** Who took a task last. */
    leases: new Map<number, Lease>(),
    /** By worker, lease and task: since when it is known that nothing is done for it. */
    lostSince: new Map<string, number>(),
    /** Receipts and identities are looked at too, after the next command. */
    looksDeep: false,
  };
}

export type Model = ReturnType<typeof createModel>;

export const isPausedAt = ({ paused }: Model, target: string) =>
  paused.has('*') || paused.has(target);

export const isFinal = (status: RequestStatus) => status === 'completed' || status === 'cancelled';
