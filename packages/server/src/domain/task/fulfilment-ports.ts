// What fulfilment needs from the store. Every write by a worker names its batch and attempt: if another worker
// has taken the batch over, nothing is written and Fenced is thrown.
import type { Regulation, SubjectRequestId } from '@unwrite/protocol';
import type { Counts, Keys } from '../target/connector.ts';
import type { DetachedRows, KeyLayout, SearchedIn } from '../target/row-layout.ts';
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
  /** Submitted identities, and those that operators added. */
  readonly identities: readonly SealedBytes[];
}

export interface StartCommand {
  readonly request: DueRequest;
  readonly plan: Plan;
  readonly tasks: readonly PlannedTask[];
  /** Keyed digests of the identities, to answer "was this person erased?". */
  readonly digests: readonly Uint8Array[];
  /** The same with the other keys: a legal hold may have been placed with one of them. */
  readonly otherDigests?: readonly Uint8Array[];
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
  readonly regulation: Regulation;
  readonly submittedTime: string;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  /** Rows that an operator's release allows; null before a release. */
  readonly allowedRows: number | null;
  readonly identities: readonly SealedIdentities[];
  readonly intent: StoredIntent | null;
  /** Rows that earlier attempts reported as erased. */
  readonly reported: Tables | null;
  /** The worker of the previous attempt did not report: its target was asked what it has erased. */
  readonly isRecovered?: true;
  /** Rows that the previous attempt was about to erase at a target without transactions, which gave no answer. */
  readonly unanswered?: Counts;
}

/** The rows of an intent, which are sealed. */
export interface IntendedRows extends SearchedIn {
  readonly keys: Keys;
  readonly layout: KeyLayout | undefined;
  /** Rows kept because they also belong to another person. */
  readonly kept?: Keys | undefined;
  readonly retainedRows?: Keys | undefined;
  /** Numbers of rows that will lose their references to erased rows. */
  readonly detached?: Counts | undefined;
  /** The detached rows that have keys. */
  readonly detachedRows?: readonly DetachedRows[] | undefined;
  /** Rows that earlier attempts of the task detached. */
  readonly detachedBefore?: Keys | undefined;
  /** Rows that earlier attempts of the task erased. */
  readonly gone?: Keys | undefined;
  /** Those of them that were erased under another plan. */
  readonly goneElsewhere?: Keys | undefined;
  /** The times that earlier attempts of the task wrote. */
  readonly times?: readonly string[] | undefined;
  /** Copy of the intent's columns, which others can write to. */
  readonly said: SaidIntent;
}

export interface SaidIntent {
  readonly taskNo: number;
  readonly plan: string;
  readonly counts: Counts;
  readonly retained: Counts;
}

/** `recorded`: no attempt is known to have changed anything. `done`: one has, and the task records what was erased. */
export type IntentState = 'recorded' | 'done';

/** The rows that are about to be erased, committed before anything is touched. */
export interface StoredIntent {
  readonly state: IntentState;
  /** The target's planDigest by which the rows were found. */
  readonly plan: string;
  readonly counts: Counts;
  readonly retained: Counts;
  readonly keys: SealedBytes;
  readonly firstAttemptTime: number;
}

export interface NewIntent extends Omit<StoredIntent, 'firstAttemptTime'> {
  readonly taskNo: number;
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
  /** Consecutive failures. */
  readonly failures: number;
  readonly openedTime: number;
  /** The target is not used before this time. */
  readonly probeTime: number;
}

/** What was recorded of a transaction at a target before its commit, or of a call of a target without transactions. */
interface TransactionAtTarget {
  /** By which the target can be asked how it ended; null if it cannot be asked. */
  readonly name: string | null;
  /** By task: the rows that all attempts have erased if it is carried out. */
  readonly tables: ReadonlyMap<number, Tables>;
}

export interface RecordedTransaction extends TransactionAtTarget {
  readonly intents: readonly NewIntent[];
  readonly reservations: readonly RowReservation[];
  readonly maxRowsPerDay: number | null;
}

export interface OpenTransaction extends TransactionAtTarget {
  readonly recordedTime: number;
}

export interface TransactionOfTask {
  readonly taskNo: number;
  /** What all attempts have erased, or may have erased; null if the transaction was rolled back. */
  readonly reported: Tables | null;
}

export interface FulfilmentStore {
  /**
   * Requests pending since before `receivedBefore`, asked for by an operator, or to be planned again. Oldest first;
   * of controllers that are left out, only those that an operator asked for.
   */
  dueRequests(
    receivedBefore: number,
    max: number,
    leaveOut?: readonly ControllerId[],
  ): Promise<DueRequest[]>;
  /** Controllers that reached their limit of starts on the day of `now`. */
  controllersAtDailyLimit(maxStartsPerDay: number, now: number): Promise<ControllerId[]>;
  /**
   * Starts those that are still pending (or to be planned again), within the daily limit of each controller, which
   * does not apply to those that an operator asked for. Returns how many.
   */
  startRequests(
    commands: readonly StartCommand[],
    now: number,
    maxStartsPerDay?: number | null,
    /** Requests received later start only if an operator asked for it. */
    receivedBefore?: number,
  ): Promise<number>;
  /** Targets with tasks that are due or batches whose lease has ended. */
  targetsWithWork(now: number): Promise<string[]>;
  /** A batch whose lease has ended is taken over first. Undefined if the target is paused. */
  leaseBatch(request: LeaseRequest): Promise<LeasedBatch | undefined>;
  /**
   * Records what a transaction at the target is about to commit, with its intents, and renews the lease; where a pause or
   * the target's daily limit forbids it, only says so. Earlier records of its tasks are removed: how those ended is known
   * by then. Throws Fenced if another worker has the batch.
   */
  recordTransaction(
    batch: BatchLease,
    transaction: RecordedTransaction,
    leaseUntil: number,
    now: number,
  ): Promise<MayErase>;
  /** Transactions of these tasks whose end was never recorded, oldest first. */
  openTransactions(batch: BatchLease, taskNos: readonly number[]): Promise<OpenTransaction[]>;
  /** How these tasks' transactions ended: with them, their intents end. */
  endTransactions(batch: BatchLease, ends: readonly TransactionOfTask[]): Promise<void>;
  /** False if another worker has the batch. */
  renewLease(batch: BatchLease, leaseUntil: number): Promise<boolean>;
  /**
   * Outcomes of all tasks of the batch; requests whose last task is done are completed. `intents`: of tasks of which
   * nothing was recorded, so that what was found stays known.
   */
  recordOutcomes(
    batch: BatchLease,
    outcomes: readonly TaskOutcome[],
    derived: readonly DerivedIdentities[],
    now: number,
    intents?: readonly NewIntent[],
  ): Promise<void>;
  /**
   * Ids of the controller's other requests that had the same people erased at the same target, by task. For a task
   * with an intent: only since the intent. For one without: also older requests of the batch that have an intent.
   */
  erasedBefore(tasks: readonly AskedTask[]): Promise<Map<number, string[]>>;
  /**
   * By task: for how many rows an operator released it, or an earlier run at the target, without the identities that
   * find them (`unproven_identity`).
   */
  releasedWithout(
    target: string,
    tasks: readonly ReleasedTask[],
  ): Promise<ReadonlyMap<number, number>>;
  /** Those of the tasks that an operator released from `lookup_removed`. */
  releasedWithoutLookup(tasks: readonly ReleasedTask[]): Promise<ReadonlySet<number>>;
  /** If this process is the only worker, a lease that exists at its start belongs to no worker. */
  endAllLeases(): Promise<void>;
  circuit(target: string): Promise<OpenCircuit | undefined>;
  openCircuit(circuit: OpenCircuit): Promise<void>;
  closeCircuit(target: string): Promise<void>;
}

export interface AskedTask {
  readonly taskNo: number;
  /**
   * Digests of the task's identities with all digest keys, because the store has them with one key only. Empty
   * if there is only one key.
   */
  readonly digests: readonly Uint8Array[];
}

export type ReleasedTask = Pick<LeasedTask, 'taskNo' | 'controllerId' | 'subjectRequestId'>;

/** Another worker has taken the batch over: the results of this one do not count. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}
