// The interface of all connectors. They work on batches and answer separately for each subject, in the order given.
import type { IdentityType, SubjectRequestId } from '@unwrite/protocol';
import type { Identity } from '../request/identity.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { PlanDescription } from './plan-description.ts';
import type { DetachedRows, KeyLayout } from './row-layout.ts';

/** One request as a target sees it. */
export interface Subject {
  /** Unique in a batch. The older request has the smaller number. */
  readonly taskNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  readonly identities: readonly Identity[];
  /** Those of them that this target's own lookup gave: it has to give them again when rows are erased. */
  readonly lookedUp?: readonly Identity[];
  /** Looked up, and not given any more. Rows that only they find are not touched. */
  readonly unproven?: readonly Identity[];
  /** Types that it has no identity of, and that tables count as asked by all the same: nothing is found by them. */
  readonly askedBy?: readonly IdentityType[];
}

/**
 * Rows by table, or by whatever a target calls its parts. Names of the operator's, never data. Made by
 * `byName`, so that no name is there before it is given.
 */
export type Counts = Readonly<Record<string, number>>;

/** Names one row: the values of its key, and of what its children refer to, as text. */
export type KeyRow = readonly (string | null)[];

/** By table. They may tell who is meant, so they are sealed at rest. */
export type Keys = Readonly<Record<string, readonly KeyRow[]>>;

/** Why a person has to decide. */
export const HOLD_REASONS = [
  'over_cap',
  'more_than_previewed',
  'unplanned_change',
  'statements_disagree',
  'ambiguous_reference',
  /** A row is reached by a key that is unique, and its tenant is none or another. */
  'tenant_mismatch',
  /** A row is also tied to a person outside the request, and the plan does not say what to do then. */
  'shared',
  /** A row that was to be erased is still there, and its parent is gone. */
  'orphaned',
  /** An attempt under another configuration began to erase, and how it ended cannot be told. */
  'unsettled',
  /** A value that was to be overwritten could not be: it is no JSON, or a trigger keeps it. */
  'not_overwritten',
  'too_many_resolved',
  /** The request was planned with a lookup here, and the configuration has none. */
  'lookup_removed',
  /** An identity was looked up, is not given any more, and rows are found by it alone. */
  'unproven_identity',
  'no_usable_identity',
  'preview_mode',
  'manual',
  'target_removed',
] as const;

export type HoldReason = (typeof HOLD_REASONS)[number];

export interface Held {
  readonly outcome: 'held';
  readonly reason: HoldReason;
  /** In our words, with names of tables at most. Never a target's own text: it may quote data. */
  readonly detail: string;
  /** How many rows it is about, where nothing was counted to be erased. */
  readonly rows?: number;
}

export interface Failed {
  readonly outcome: 'failed';
  /** A short stable code, such as `lock_timeout` or `sql_23503`. */
  readonly code: string;
  readonly detail: string;
}

export const NO_ANSWER: Failed = {
  outcome: 'failed',
  code: 'no_outcome',
  detail: 'the connector gave no answer',
};

export interface Found {
  readonly outcome: 'found';
  /** What would be erased or overwritten; all zero or empty means not found here. */
  readonly counts: Counts;
  /** What the operator's configuration keeps, and is only counted. */
  readonly retained: Counts;
  /** Which rows those are, where rows have keys. */
  readonly retainedRows?: Keys;
  /** Rows that are also another person's, and that the configuration keeps for that reason. */
  readonly kept?: Keys;
  /** Rows that stay, and whose references to rows that go become NULL, as the configuration lets them. */
  readonly detached?: Counts;
  /** Those of them that have keys. */
  readonly detachedRows?: readonly DetachedRows[];
  /** Of tables without a unique key: what other rows refer to their rows by, with NULL for what names them. */
  readonly unnamedParents?: Keys;
  /** There are rows that the configuration overwrites, and that have its values already. */
  readonly hasOverwritten?: boolean;
  /** Tables without an identity to ask them with, which the configuration lets be skipped. */
  readonly skipped?: readonly string[];
  readonly keys: Keys;
  /** What the values of the keys are, so that they are never taken for others. */
  readonly layout?: KeyLayout;
  /** The older subjects of the batch that rows also matching this one are counted for. */
  readonly sharedWith: readonly number[];
}

/** `unmatched`: the request has no identity that this target can use. */
export type Preview = Found | { readonly outcome: 'unmatched' } | Held | Failed;

/** An identity that a lookup gives. In a list, each was proven by those before it. */
export interface Relied {
  /** The target that looks up. */
  readonly source: string;
  /** Its type and its value. */
  readonly name: string;
}

export interface EraseOrder extends Subject {
  /** From the intent: a bound on what may be erased, never a licence. */
  readonly keys: Keys;
  readonly counts: Counts;
  /** Of the keys; absent where the connector gave none. */
  readonly layout?: KeyLayout;
  /** Rows of earlier intents that are there, and not found for the person any more: never erased or claimed, but accounted for. */
  readonly watched?: Keys;
  /** Rows that earlier attempts erased: what refers to them must not be there either. */
  readonly gone?: Keys;
  /** Of tables without a unique key: what other rows refer to their rows by. */
  readonly unnamedParents?: Keys;
  /** Rows that the attempt was to detach: whether it did is looked at when it is settled. */
  readonly detaching?: readonly DetachedRows[];
  /** And those that attempts under another plan erased: only what belonged to them is looked for. */
  readonly goneElsewhere?: Keys;
  /** Looked-up identities that count: lookups in the same database must still give them when rows are erased. */
  readonly relied?: readonly Relied[];
  /** Rows that stay, as shared or as retained: the verdict says which of them are there. */
  readonly kept?: Keys;
  readonly retained?: Keys;
}

export interface Erased {
  readonly outcome: 'erased';
  /** Rows that were there and are not any more; fewer than ordered where some had gone already. */
  readonly counts: Counts;
  /** Where a target only gives numbers: what it erased is still counted by a preview, and reported again. */
  readonly isFoundAgain?: boolean;
  /** Erased rows that had other values by then: what refers to them must not be there either. */
  readonly changed?: Keys;
  /** Ordered rows that were not there any more. */
  readonly gone?: Keys;
  /** Of tables without a unique key: how many of the ordered rows were not there any more. */
  readonly goneUnnamed?: Counts;
  /** Ordered rows that are another person's now, and were not touched. */
  readonly left?: Counts;
  /** All rows that are shared and kept for that reason, as the erasing found them. */
  readonly kept?: Keys;
  /** Rows that stayed, and whose references to erased rows became NULL. */
  readonly detached?: Counts;
  /** Those of them that have keys. */
  readonly detachedRows?: readonly DetachedRows[];
}

export type Erasure =
  | Erased
  /** More rows belong to the request than were ordered: nothing was touched, preview again. */
  | { readonly outcome: 'grown' }
  /** `erased`: what it still reports; left out where nothing was changed. */
  | (Held & { readonly erased?: Counts })
  | Failed;

/** How an attempt ended that began to erase these rows and did not say. `known`: of tables that can be looked up. */
export type Settlement = Settled | (Held & { readonly known?: Settled }) | Failed;

export interface Settled {
  readonly outcome: 'settled';
  /** Ordered rows that are still there; empty where the attempt erased them all. */
  readonly there: Keys;
  /** Those of them that have an owner: still this person, or another by now. */
  readonly tied: Keys;
  readonly gone: Keys;
  /** Of tables without a unique key: how many rows the person has there now. */
  readonly unnamed?: Counts;
  /** And how many beside them that have the time of the attempt: another one would find them again. */
  readonly unnamedDone?: Counts;
  /** Rows of `detaching` that have lost their references. */
  readonly detached?: Keys;
  /** Rows of `gone` as the plan of now names them, where that is another way. */
  readonly renamed?: Keys;
  /** The same of the order's `gone`: what attempts before it had erased. */
  readonly renamedBefore?: Keys;
  /** A table whose rows are the person's by columns of erased rows that are not on record. */
  readonly untraceable?: string;
}

export type VerifyingStatement = 'sql.preview' | 'sql.verify';

export type Verdict =
  /** `reported`: the target said so, and was not asked again. */
  | {
      readonly outcome: 'gone';
      readonly how: 'requeried' | 'reported';
      /** Where the operator has written the statements: which of them counted nothing. */
      readonly by?: VerifyingStatement;
      /** Of the rows that were to stay, those that are there. */
      readonly kept?: Counts;
      readonly retained?: Counts;
      /** Of tables without a unique key: how many rows of the person are there. */
      readonly unnamedRetained?: Counts;
    }
  | { readonly outcome: 'remains'; readonly counts: Counts }
  /** Nothing that another attempt could do anything about. */
  | Held
  | Failed;

export type Resolution =
  | { readonly outcome: 'resolved'; readonly identities: readonly Identity[] }
  | Held
  | Failed;

export interface CheckLine {
  readonly level: 'ok' | 'note' | 'warning' | 'problem';
  /** What was looked at: a table, a column, the account. */
  readonly subject: string;
  readonly message: string;
  /**
   * Of a problem about what cannot be seen, or is kept elsewhere: an operator who has looked may accept it
   * under this name. No other problem can be accepted.
   */
  readonly finding?: string;
}

/** Whether a target may be worked on, by its structure and the account's rights alone. */
export interface GateReport {
  /** While there is one, nothing runs. */
  readonly problems: readonly CheckLine[];
  /** Findings that the operator has accepted, with the reasons given. They stand in the evidence. */
  readonly accepted: Readonly<Record<string, string>>;
}

export interface Connector {
  /** Whether an erasure other than `erased` means that nothing was touched for that subject. */
  readonly isAtomic?: boolean;
  /** Looks at everything that could go wrong, and touches nothing. Throws TargetDown at most. */
  check(): Promise<CheckLine[]>;
  /** What the plan does, as far as it fits the target; undefined where there is none to be made. */
  describePlan?(): Promise<PlanDescription | undefined>;
  /** The part of the check that nothing may run against. Absent where there is nothing to look at. */
  gate?(): Promise<GateReport>;
  /** Looks up other identities of the same people. Only where the target's configuration says so. */
  resolve?(subjects: readonly Subject[]): Promise<Resolution[]>;
  preview(subjects: readonly Subject[]): Promise<Preview[]>;
  /**
   * Looks, by the layout that the orders bring, whether their rows are still there. Only where previews
   * give a layout.
   */
  settle?(orders: readonly EraseOrder[]): Promise<Settlement[]>;
  erase(orders: readonly EraseOrder[]): Promise<Erasure[]>;
  /** In a new transaction, by keys and by identities. */
  verify(orders: readonly EraseOrder[]): Promise<Verdict[]>;
  close(): Promise<void>;
}

/** The target as a whole cannot be worked with now: every subject of the batch waits. */
export class TargetDown extends Error {
  override readonly name = 'TargetDown';
  readonly code: string;

  /** Both in our words: no text of the target's. */
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** No person has more rows, and receipts, daily limits and evidence could not add up larger numbers exactly. */
export const MAX_ROWS_IN_ANSWER = 1_000_000_000_000;

/** Whole numbers from 0 on, and not too many of them to be added up. */
export function canBeCounted(counts: Counts): boolean {
  let rows = 0;
  for (const count of Object.values(counts)) {
    if (!Number.isSafeInteger(count) || count < 0) return false;
    rows += count;
    if (rows > MAX_ROWS_IN_ANSWER) return false;
  }
  return true;
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
