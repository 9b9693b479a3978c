// What fulfilment needs from the store. Every write by a worker names its batch and attempt: if another worker
// has taken the batch over, nothing is written and Fenced is thrown.
import type { SubjectRequestId } from '@unwrite/protocol';
import type { Counts, Keys } from '../target/connector.ts';
import type { DetachedRows, KeyLayout } from '../target/row-layout.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { MayErase, RowReservation } from './row-reservation.ts';
import type { Plan, PlannedTask, Tables, TaskOutcome, TaskPhase } from './task.ts';

export interface SealedBytes {
  readonly masterKeyId: string;
  readonly wrappedKey: Uint8Array;
  readonly sealed: Uint8Array;
}

export interface SealedIdentities extends SealedBytes {
  /** Who added them: the target that looked them up, or an operator. Absent for those that were submitted. */
  readonly source?: string;
}

export interface DueRequest {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  readonly receivedTime: number;
  /** Those that were submitted, and those that operators added. */
  readonly identities: readonly SealedBytes[];
}

export interface StartCommand {
  readonly request: DueRequest;
  readonly plan: Plan;
  readonly tasks: readonly PlannedTask[];
  /** Keyed digests of the identities: "was this person erased?". */
  readonly digests: readonly Uint8Array[];
}

export interface BatchLease {
  readonly batchNo: number;
  /** The fence: counted up by every worker that takes the batch over. */
  readonly attempt: number;
  readonly target: string;
}

export interface LeasedTask {
  readonly taskNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  /** How often it was tried, this time included. */
  readonly attempts: number;
  /** What an operator's release allows; null before any. */
  readonly allowedRows: number | null;
  readonly identities: readonly SealedIdentities[];
  readonly intent: StoredIntent | null;
  /** What earlier attempts have reported as erased. */
  readonly reported: Tables | null;
}

/** The rows of an intent, which are sealed. */
export interface IntendedRows {
  readonly keys: Keys;
  readonly layout: KeyLayout | undefined;
  /** Rows of earlier intents that are there, and are not found for the person any more. */
  readonly watched?: Keys | undefined;
  /** Rows that are kept because they are another person's too. */
  readonly kept?: Keys | undefined;
  readonly retainedRows?: Keys | undefined;
  /** Numbers of rows that are to lose their references to the rows that go. */
  readonly detached?: Counts | undefined;
  /** Those of them that have keys. */
  readonly detachedRows?: readonly DetachedRows[] | undefined;
  /** Of tables without a unique key: what other rows refer to their rows by. */
  readonly unnamedParents?: Keys | undefined;
  /** Rows that earlier attempts of the task detached. */
  readonly detachedBefore?: Keys | undefined;
  /** Rows that earlier attempts of the task erased. */
  readonly gone?: Keys | undefined;
  /** Those of them that went under another plan. */
  readonly goneElsewhere?: Keys | undefined;
  /** Counts of rows that another process deleted before an attempt reached them. */
  readonly alreadyGone?: Counts | undefined;
  /** Of tables without a unique key: numbers of rows that an earlier attempt overwrote, and this one overwrites again. */
  readonly unnamedAgain?: Counts | undefined;
  /** Numbers of rows that were on record as erased when it was recorded. */
  readonly erasedBefore?: Counts | undefined;
  /** Of a target that only gives numbers: rows that stay as unproven, which are not among its numbers. */
  readonly leftOut?: Counts | undefined;
  /** What its columns say, which others can write to; left out by earlier versions. */
  readonly said?: SaidIntent | undefined;
}

export interface SaidIntent {
  readonly taskNo: number;
  readonly plan: string;
  readonly counts: Counts;
  readonly retained: Counts;
}

/**
 * `recorded`: nothing was touched. `erasing`: every limit and pause was passed, and the change may have
 * happened. `done`: it has, and what was erased is on record with the task.
 */
export type IntentState = 'recorded' | 'erasing' | 'done';

/** What is about to be erased, committed before anything is touched. */
export interface StoredIntent {
  readonly state: IntentState;
  /** The target's planDigest by which the rows were found; empty for intents of earlier versions. */
  readonly plan: string;
  readonly counts: Counts;
  readonly retained: Counts;
  readonly keys: SealedBytes;
  readonly firstAttemptTime: number;
}

export interface NewIntent extends Omit<StoredIntent, 'firstAttemptTime'> {
  readonly taskNo: number;
  /** What earlier attempts have erased, where that has become known; null where nothing has. */
  readonly reported: Tables | null;
}

export interface LeasedBatch extends BatchLease {
  readonly phase: TaskPhase;
  readonly leasedTime: number;
  readonly tasks: readonly LeasedTask[];
}

export interface DerivedIdentities {
  readonly taskNo: number;
  readonly sealed: SealedBytes;
}

export interface LeaseRequest {
  readonly target: string;
  readonly max: number;
  readonly worker: string;
  readonly now: number;
  readonly leaseUntil: number;
}

export interface OpenCircuit {
  readonly target: string;
  readonly code: string;
  readonly detail: string;
  /** In a row. */
  readonly failures: number;
  readonly openedTime: number;
  /** Left alone until then. */
  readonly probeTime: number;
}

export interface FulfilmentStore {
  /**
   * Pending since before `receivedBefore`, asked for by an operator, or to be planned again. Oldest
   * first; without those of the controllers left out, unless asked for.
   */
  dueRequests(
    receivedBefore: number,
    max: number,
    leaveOut?: readonly ControllerId[],
  ): Promise<DueRequest[]>;
  /** Controllers of which so many requests were started on the day of `now`. */
  controllersAtDailyLimit(maxStartsPerDay: number, now: number): Promise<ControllerId[]>;
  /**
   * Only those that are still pending (or to be planned again) start, and no more than so many of a
   * controller a day, beside those that an operator asked for; answers how many.
   */
  startRequests(
    commands: readonly StartCommand[],
    now: number,
    maxStartsPerDay?: number | null,
    /** Those received later start only where an operator asked for it. */
    receivedBefore?: number,
  ): Promise<number>;
  /** Targets with tasks that are due or batches whose lease has ended. */
  targetsWithWork(now: number): Promise<string[]>;
  /** A batch whose lease has ended is taken over first. Nothing, where the target is paused. */
  leaseBatch(request: LeaseRequest): Promise<LeasedBatch | undefined>;
  /** False: another has it. */
  renewLease(batch: BatchLease, leaseUntil: number): Promise<boolean>;
  recordIntents(batch: BatchLease, intents: readonly NewIntent[], now: number): Promise<void>;
  /** Asked right before erasing: pauses, and what is left of the target's rows for the day of `now`. */
  mayErase(
    batch: BatchLease,
    reservations: readonly RowReservation[],
    maxRowsPerDay: number | null,
    now: number,
  ): Promise<MayErase>;
  /** Outcomes of all tasks of the batch; requests whose last task is done are completed. */
  recordOutcomes(
    batch: BatchLease,
    outcomes: readonly TaskOutcome[],
    derived: readonly DerivedIdentities[],
    now: number,
  ): Promise<void>;
  /**
   * Who else had the same people erased at the same target: by task, request ids of the same
   * controller. For a task with an intent only since then; for one without also who is older, in the
   * same batch, and has an intent.
   */
  erasedBefore(tasks: readonly AskedTask[]): Promise<Map<number, string[]>>;
  /**
   * By task: for how many rows a person has released it, or an earlier run of it at the target, without the identities that
   * find them (`unproven_identity`).
   */
  releasedWithout(
    target: string,
    tasks: readonly ReleasedTask[],
  ): Promise<ReadonlyMap<number, number>>;
  /** Those of the tasks that a person has released from `lookup_removed`. */
  releasedWithoutLookup(tasks: readonly ReleasedTask[]): Promise<ReadonlySet<number>>;
  /** Where one process is the only worker, a lease that it finds at its start belongs to no worker. */
  endAllLeases(): Promise<void>;
  circuit(target: string): Promise<OpenCircuit | undefined>;
  openCircuit(circuit: OpenCircuit): Promise<void>;
  closeCircuit(target: string): Promise<void>;
}

export interface AskedTask {
  readonly taskNo: number;
  /** Of its people, by all keys that there are: what is stored with the task is by one of them. Empty where there is one. */
  readonly digests: readonly Uint8Array[];
}

export type ReleasedTask = Pick<LeasedTask, 'taskNo' | 'controllerId' | 'subjectRequestId'>;

/** Another worker has taken the batch over: what this one found out does not count. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}
