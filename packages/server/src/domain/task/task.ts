// One request at one target, from its plan to its evidence.
import type { SubjectRequestId } from '@unwrite/protocol';
import type { LawFacts } from '../deadline/statutory-deadline.ts';
import {
  type Counts,
  HOLD_REASONS,
  type HoldReason,
  type VerifyingStatement,
} from '../target/connector.ts';
import type { ServiceNote, Statement } from '../target/other-sides.ts';
import type { ControllerId } from '../tenant/controller-id.ts';

export const TASK_STATES = ['waiting', 'running', 'erased', 'failed', 'held'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** Targets with a lookup do it first; nothing is erased at any target before all lookups are done. */
export type TaskPhase = 'resolve' | 'erase';

/**
 * Why a task is held: what its target found, a retained previous run, a contradiction with the audit log, or a legal
 * hold.
 */
export const TASK_HOLD_REASONS = [
  ...HOLD_REASONS,
  'retained_before',
  'not_in_log',
  'legal_hold',
] as const;

/** Work by hand is confirmed instead, and a legal hold is lifted. */
export const isReleasedFrom = (reason: string | null): boolean =>
  reason !== 'manual' && reason !== 'legal_hold';

export type TaskHoldReason = (typeof TASK_HOLD_REASONS)[number];

/** A target to erase the request from, fixed when the request starts. */
export interface PlannedTask {
  readonly target: string;
  readonly connector: string;
  readonly phase: TaskPhase;
  /** Set if a person has to erase: the task is held from the beginning. */
  readonly held: { readonly reason: HoldReason; readonly detail: string } | null;
  /** Targets to wait for: nothing is erased here while one of their tasks is open. */
  readonly waitsFor?: readonly string[];
}

export interface Plan {
  /** Digest of the following fields, so that equal plans are stored once. */
  readonly planId: string;
  readonly targets: readonly {
    readonly target: string;
    /** What receipts call it. */
    readonly label?: string;
    readonly connector: string;
    readonly digest: string;
  }[];
}

/**
 * `cascade`: the configuration lets foreign keys delete such rows without declaring the table. `detach`: none of
 * the rows was deleted, and some lost a reference. `erase`: the target does not report how. `forward`: sent to another
 * processor.
 */
export type TableActionName =
  | 'delete'
  | 'overwrite'
  | 'retain'
  | 'erase'
  | 'cascade'
  | 'detach'
  | 'forward';

export interface TableEvidence {
  readonly action: TableActionName;
  readonly rows: number;
  /** The operator's legal basis for retaining. */
  readonly reason?: string;
  /** Rows to be erased that were already gone, not by this task. */
  readonly already_gone?: number;
  /** Most rows that interrupted attempts may have erased, where their target cannot say. Not included in `rows`. */
  readonly unconfirmed?: number;
  /** Rows that also belong to another person, kept because the plan says so. */
  readonly shared_kept?: number;
  /** Rows found only by a looked-up identity that is not proven; an operator continued without it. Not touched. */
  readonly unproven?: number;
  /** Rows that the target keeps, in addition to those that it erased. */
  readonly retained?: number;
  /** Rows that stay, and whose references to deleted rows became NULL. Not included in `rows`. */
  readonly detached?: number;
}

/** By table, or by the parts that a target has instead. */
export type Tables = Readonly<Record<string, TableEvidence>>;

/** What a target reported and what the re-query found. Contains no identities; stored as JSON. */
export interface Evidence {
  readonly action: 'erased' | 'not_found' | 'already_erased' | 'skipped' | 'retained' | 'confirmed';
  readonly connector: string;
  /** Digest of the target's configuration that was in force. */
  readonly configuration?: string;
  readonly tables: Tables;
  readonly verified:
    | 'requeried'
    | 'reported, not re-queried'
    | 'stated by the processor'
    | 'confirmed by a person'
    | 'not applicable';
  /** The hand-written statement that found no rows left. */
  readonly verified_by?: VerifyingStatement;
  /** What the processor said that the request was forwarded to. */
  readonly forwarded?: Statement;
  /** The description of the service, of a target with the connector rest. */
  readonly service?: ServiceNote;
  readonly attempts: number;
  readonly started_time: string;
  readonly finished_time: string;
  /** An earlier attempt erased the rows and could not report it: its target was asked. */
  readonly recovered?: true;
  /** Findings of the target's check that the operator had accepted, with the reasons. */
  readonly accepted?: Readonly<Record<string, string>>;
  /** Tables that the request had no identity for, skipped because the plan says so. */
  readonly skipped_tables?: readonly string[];
  /** The requests for which the same rows are counted. */
  readonly already_erased_by?: readonly string[];
  /** Rows that were counted before a person decided to keep them. Left out if they were not counted. */
  readonly kept_rows?: number;
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
      /** Most rows that a release may erase; null if nothing was counted. */
      readonly previewedRows: number | null;
      readonly reported?: Tables;
      readonly intent?: IntentEnd;
    }
  | {
      readonly taskNo: number;
      /** `waiting`: the target cannot be used; the task itself did not fail. */
      readonly outcome: 'failed' | 'waiting';
      readonly code: string;
      readonly detail: string;
      readonly dueTime: number;
      /** Rows that all attempts so far reported as erased. */
      readonly reported?: Tables;
      readonly intent?: IntentEnd;
    }
  | {
      readonly taskNo: number;
      /** The target works on it: the task waits until it is looked at again. */
      readonly outcome: 'pending';
      readonly detail: string;
      readonly dueTime: number;
      readonly reported?: Tables;
      readonly intent?: IntentEnd;
    }
  | {
      readonly taskNo: number;
      readonly outcome: 'resolved';
      /** How many sealed identity sets the lookup used; more may have been added since. */
      readonly openedSets?: number;
    };

/**
 * How far an attempt got that did not end its task; absent if unknown. `recorded`: nothing was touched. `done`: rows
 * were erased, and something else is wrong.
 */
export type IntentEnd = 'recorded' | 'done';

/** One line of `unwrite task list`. */
export interface TaskSummary {
  readonly taskNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  readonly receivedTime: number;
  /** What the statutory deadline is computed from. */
  readonly law: Omit<LawFacts, 'receivedTime'>;
  readonly target: string;
  readonly connector: string;
  readonly run: number;
  readonly phase: TaskPhase;
  readonly state: TaskState;
  readonly attempts: number;
  /** When it is tried next; null if a person or another task decides that. */
  readonly dueTime: number | null;
  /** Targets of the request that must be done, or have looked up, before. */
  readonly waitsFor: readonly string[];
  readonly reason: string | null;
  readonly detail: string | null;
  readonly previewedRows: number | null;
  /** Rows that an operator's release allows; null before a release. */
  readonly allowedRows: number | null;
  readonly counts: Counts | null;
  /** Rows that failed attempts reported as erased. */
  readonly reported: Tables | null;
  readonly changedTime: number;
  readonly evidence: Evidence | null;
}

/** Why a request is in `unwrite request list --attention`. */
export interface AttentionLine {
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  /** Start of the time until the deadline; for a run after the completion, when it was asked for. */
  readonly receivedTime: number;
  /** What the statutory deadline is computed from; null for a run that was asked for after the completion. */
  readonly law: Omit<LawFacts, 'receivedTime'> | null;
  readonly target: string | null;
  readonly state: TaskState | 'pending';
  readonly reason: string;
  readonly detail: string;
}
