// One request at one target, from its plan to its evidence.
import type { SubjectRequestId } from '@unwrite/protocol';
import {
  type Counts,
  HOLD_REASONS,
  type HoldReason,
  type VerifyingStatement,
} from '../target/connector.ts';
import type { ControllerId } from '../tenant/controller-id.ts';

export const TASK_STATES = ['waiting', 'running', 'erased', 'failed', 'held'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** A target that resolves does so first; nothing is erased anywhere before all of them have. */
export type TaskPhase = 'resolve' | 'erase';

/**
 * Why a task is held: for what its target found, because a person retained the run before, or because the audit log says otherwise.
 */
export const TASK_HOLD_REASONS = [...HOLD_REASONS, 'retained_before', 'not_in_log'] as const;

export type TaskHoldReason = (typeof TASK_HOLD_REASONS)[number];

/** What a request is to be erased from, fixed when it starts. */
export interface PlannedTask {
  readonly target: string;
  readonly connector: string;
  readonly phase: TaskPhase;
  /** Where a person has to do it: held from the beginning. */
  readonly held: { readonly reason: HoldReason; readonly detail: string } | null;
  /** Targets that it waits for: nothing is erased here while one of their tasks is open. */
  readonly waitsFor?: readonly string[];
}

export interface Plan {
  /** A digest of all that follows, so that equal plans are kept once. */
  readonly planId: string;
  readonly targets: readonly {
    readonly target: string;
    readonly connector: string;
    readonly digest: string;
  }[];
}

/**
 * `cascade`: the configuration lets foreign keys remove such rows, without naming the table itself. `detach`:
 * none of its rows went, and some lost a reference. `erase`: by a target that does not say how.
 */
export type TableActionName = 'delete' | 'overwrite' | 'retain' | 'erase' | 'cascade' | 'detach';

export interface TableEvidence {
  readonly action: TableActionName;
  readonly rows: number;
  /** The operator's legal basis, for what is retained. */
  readonly reason?: string;
  /** Rows that were to be erased and had gone already: not by this task. */
  readonly already_gone?: number;
  /** Rows that an attempt which was cut off was about to erase, at most; whether it did cannot be asked. Not among `rows`. */
  readonly unconfirmed?: number;
  /** Rows that were to be erased and are another person's now: not touched. */
  readonly left?: number;
  /** Rows that are also another person's, kept because the plan says so. */
  readonly shared_kept?: number;
  /** Rows that only a looked-up identity finds which could not be proven; an operator went on without it. Not touched. */
  readonly unproven?: number;
  /** Rows that the target keeps beside those that it erased. */
  readonly retained?: number;
  /** Rows that stay, and whose references to deleted rows became NULL. Not among `rows`. */
  readonly detached?: number;
}

/** By table, or by whatever a target calls its parts. */
export type Tables = Readonly<Record<string, TableEvidence>>;

/** What a target reported and what the re-query found. No identities in it; kept as JSON. */
export interface Evidence {
  readonly action: 'erased' | 'not_found' | 'already_erased' | 'skipped' | 'retained' | 'confirmed';
  readonly connector: string;
  /** Digest of the target's configuration that was in force. */
  readonly configuration?: string;
  readonly tables: Tables;
  readonly verified:
    | 'requeried'
    | 'reported, not re-queried'
    | 'confirmed by a person'
    | 'not applicable';
  /** The hand-written statement that counted nothing left. */
  readonly verified_by?: VerifyingStatement;
  readonly attempts: number;
  readonly started_time: string;
  readonly finished_time: string;
  /** An attempt before this one erased them and could not say so: the rows are those of its intent. */
  readonly recovered?: true;
  /** Findings of the target's check that the operator had accepted, with the reasons. */
  readonly accepted?: Readonly<Record<string, string>>;
  /** Tables that the request had no identity for, left out because the plan says so. */
  readonly skipped_tables?: readonly string[];
  /** The requests that the same rows are counted for. */
  readonly already_erased_by?: readonly string[];
  readonly by?: string;
  readonly note?: string;
  readonly legal_basis?: string;
}

export type TaskOutcome =
  | { readonly taskNo: number; readonly outcome: 'erased'; readonly evidence: Evidence }
  | {
      readonly taskNo: number;
      readonly outcome: 'held';
      readonly reason: HoldReason;
      readonly detail: string;
      /** What a release may erase at most; null where nothing was counted. */
      readonly previewedRows: number | null;
      readonly reported?: Tables;
      readonly intent?: IntentEnd;
    }
  | {
      readonly taskNo: number;
      /** `waiting`: it is the target that cannot be worked with, not this task. */
      readonly outcome: 'failed' | 'waiting';
      readonly code: string;
      readonly detail: string;
      readonly dueTime: number;
      /** What all attempts so far have reported as erased. */
      readonly reported?: Tables;
      readonly intent?: IntentEnd;
    }
  | {
      readonly taskNo: number;
      readonly outcome: 'resolved';
      /** How many sealed sets of identities it was looked up with; others may have been added since. */
      readonly openedSets?: number;
    };

/**
 * How far an attempt came that did not end its task; absent where that is not known. `recorded`: nothing
 * was touched. `done`: rows were erased, and something else is wrong.
 */
export type IntentEnd = 'recorded' | 'done';

/** One line of `unwrite task list`. */
export interface TaskSummary {
  readonly taskNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  readonly receivedTime: number;
  readonly target: string;
  readonly connector: string;
  readonly run: number;
  readonly phase: TaskPhase;
  readonly state: TaskState;
  readonly attempts: number;
  /** When it is tried next; null where that is for a person or another task to decide. */
  readonly dueTime: number | null;
  /** Targets of the request that have to be done, or to look up, before it. */
  readonly waitsFor: readonly string[];
  readonly reason: string | null;
  readonly detail: string | null;
  readonly previewedRows: number | null;
  /** What an operator's release allows; null before any. */
  readonly allowedRows: number | null;
  readonly counts: Counts | null;
  /** What attempts that did not end well have reported as erased. */
  readonly reported: Tables | null;
  readonly changedTime: number;
  readonly evidence: Evidence | null;
}

/** Why a request is in `unwrite request list --attention`. */
export interface AttentionLine {
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  /** What the deadline counts from: of a run that was asked for after the completion, when it was. */
  readonly receivedTime: number;
  readonly target: string | null;
  readonly state: TaskState | 'pending';
  readonly reason: string;
  readonly detail: string;
}
