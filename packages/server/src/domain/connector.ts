// The one shape of all connectors: check, preview, erase, verify, close. They work on batches, and
// answer for each subject apart, in the order given: one bad subject never fails its neighbours.
import type { SubjectRequestId } from '@unwrite/protocol';
import type { ControllerId } from './controller-id.ts';
import type { Identity } from './identity.ts';

/** One request as a target sees it. */
export interface Subject {
  /** Unique in a batch. The older request has the smaller number. */
  readonly taskNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  readonly identities: readonly Identity[];
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
export type HoldReason =
  | 'over_cap'
  | 'more_than_previewed'
  | 'unplanned_change'
  | 'statements_disagree'
  | 'ambiguous_reference'
  | 'too_many_resolved'
  | 'no_usable_identity'
  | 'preview_mode'
  | 'manual'
  | 'target_removed';

export interface Held {
  readonly outcome: 'held';
  readonly reason: HoldReason;
  /** In our words, with names of tables at most. Never a target's own text: it may quote data. */
  readonly detail: string;
}

export interface Failed {
  readonly outcome: 'failed';
  /** A short stable code, such as `lock_timeout` or `sql_23503`. */
  readonly code: string;
  readonly detail: string;
}

export interface Found {
  readonly outcome: 'found';
  /** What would be erased or overwritten; all zero or empty means not found here. */
  readonly counts: Counts;
  /** What the operator's configuration keeps, and is only counted. */
  readonly retained: Counts;
  readonly keys: Keys;
  /** The older subjects of the batch that rows also matching this one are counted for. */
  readonly sharedWith: readonly number[];
}

/** `unmatched`: the request has no identity that this target can use. */
export type Preview = Found | { readonly outcome: 'unmatched' } | Held | Failed;

export interface EraseOrder extends Subject {
  /** Exactly these rows, from the intent; never more. */
  readonly keys: Keys;
  readonly counts: Counts;
}

export type Erasure =
  /** Rows that were there and are not any more; fewer than ordered where some had gone already. */
  | { readonly outcome: 'erased'; readonly counts: Counts }
  /** `erased`: what it reports all the same; left out where nothing was changed. */
  | (Held & { readonly erased?: Counts })
  | Failed;

export type VerifyingStatement = 'sql.preview' | 'sql.verify';

export type Verdict =
  /** `reported`: the target said so, and was not asked again. */
  | {
      readonly outcome: 'gone';
      readonly how: 'requeried' | 'reported';
      /** Where the operator has written the statements: which of them counted nothing. */
      readonly by?: VerifyingStatement;
    }
  | { readonly outcome: 'remains'; readonly counts: Counts }
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
}

export interface Connector {
  /** Looks at everything that could go wrong, and touches nothing. Throws TargetDown at most. */
  check(): Promise<CheckLine[]>;
  /** Looks up other identities of the same people. Only where the target's configuration says so. */
  resolve?(subjects: readonly Subject[]): Promise<Resolution[]>;
  preview(subjects: readonly Subject[]): Promise<Preview[]>;
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

/**
 * In one answer. More is no number of rows that anybody has, and would end what can be added up exactly:
 * receipts, daily caps and evidence add the answers of many tasks.
 */
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
