// The interface of all connectors. They work on batches and answer separately for each subject, in the order given.
import type { Regulation, SubjectRequestId } from '@unwrite/protocol';
import type { AnyType, Identity } from '../request/identity.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { HoldReason } from './hold-reasons.ts';
import type { ServiceNote, Statement } from './other-sides.ts';
import type { PlanDescription } from './plan-description.ts';
import type { DetachedRows, KeyLayout, SearchedIn } from './row-layout.ts';

export { HOLD_REASONS, type HoldReason } from './hold-reasons.ts';

/** One request as a target sees it. */
export interface Subject {
  /** Unique in a batch. The older request has the smaller number. */
  readonly taskNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: SubjectRequestId;
  readonly identities: readonly Identity[];
  /** Those of them that this target's own lookup gave: it must give them again when rows are erased. */
  readonly lookedUp?: readonly Identity[];
  /** Looked-up identities that the lookup does not give any more. Rows that only they find are not touched. */
  readonly unproven?: readonly Identity[];
  /** Types of unproven identities that are left out here. Tables still count as queried by them; nothing is found that way. */
  readonly unprovenTypes?: readonly AnyType[];
  /** The times that earlier attempts of the task wrote: rows that have them are overwritten already. */
  readonly times?: readonly string[];
  /** Looked-up identities to rely on: lookups in the same database must still give them when rows are erased. */
  readonly relied?: readonly Relied[];
  /** Given to targets without transactions, when they erase. */
  readonly submitted?: Submitted;
  /** Given to targets without transactions: what an earlier attempt called this target for. */
  readonly called?: EarlierCall;
}

/** What the controller said of the request, beside who is meant. */
export interface Submitted {
  readonly regulation: Regulation;
  /** RFC 3339, as submitted. */
  readonly time: string;
  /** Domains of the processors that have forwarded it, the first one first. */
  readonly via: readonly string[];
}

export interface EarlierCall {
  readonly keys: Keys;
  /** False: no answer came, and the target may have got it or not. */
  readonly isAnswered: boolean;
}

/**
 * Numbers of rows by table, or by the parts that a target has instead. Names come from the operator and contain no
 * data. Made by `byName`, so that no name exists by inheritance.
 */
export type Counts = Readonly<Record<string, number>>;

/** Identifies one row: the values of its key and of the columns that its children refer to, as text. */
export type KeyRow = readonly (string | null)[];

/** Rows by table. They may identify the person, so they are sealed at rest. */
export type Keys = Readonly<Record<string, readonly KeyRow[]>>;

export interface Held {
  readonly outcome: 'held';
  readonly reason: HoldReason;
  /** Our own text, with table names at most. Never the target's text, which may quote data. */
  readonly detail: string;
  /** How many rows it is about, if no rows to erase were counted. */
  readonly rows?: number;
  /** Of a target without transactions: what it was called for is void, and a later call is a new one. */
  readonly isVoid?: true;
}

export interface Failed {
  readonly outcome: 'failed';
  /** A short stable code, such as `lock_timeout` or `sql_23503`. */
  readonly code: string;
  readonly detail: string;
  /** Of a target without transactions: it refused the call, so nothing was done. */
  readonly isVoid?: true;
}

export const NO_ANSWER: Failed = {
  outcome: 'failed',
  code: 'no_outcome',
  detail: 'the connector gave no answer',
};

export interface Found extends SearchedIn {
  readonly outcome: 'found';
  /** Rows to erase or overwrite; all zero or empty means that the person was not found here. */
  readonly counts: Counts;
  /** Rows that the configuration keeps, and that are only counted. */
  readonly retained: Counts;
  /** The retained rows, if they have keys. */
  readonly retainedRows?: Keys;
  /** Rows that also belong to another person, and that the configuration keeps for that reason. */
  readonly kept?: Keys;
  /** Rows that stay, and whose references to erased rows become NULL, as the configuration allows. */
  readonly detached?: Counts;
  /** The detached rows that have keys. */
  readonly detachedRows?: readonly DetachedRows[];
  /** There are rows to overwrite that already have the new values. */
  readonly hasOverwritten?: boolean;
  /** Tables that no identity of the request can query, and that the configuration allows to skip. */
  readonly skipped?: readonly string[];
  /** Nothing was found, and no row of any table has this value for the controller. */
  readonly unknownTenant?: string;
  readonly keys: Keys;
  /** The columns that the values of the keys belong to, so that they are never taken for others. */
  readonly layout?: KeyLayout;
  /** Older subjects of the batch. Rows that match both are counted for them. */
  readonly sharedWith: readonly number[];
}

/** `unmatched`: the request has no identity that this target can use. */
export type Preview = Found | { readonly outcome: 'unmatched' } | Held | Failed;

/** An identity that a lookup gives. In a list, each was proven by those before it. */
export interface Relied {
  /** Name of the target that looks up. */
  readonly source: string;
  /** Its type and its value. */
  readonly name: string;
}

export interface EraseOrder extends Subject, SearchedIn {
  /** What was found: a bound on what may be erased, never a licence. */
  readonly keys: Keys;
  readonly counts: Counts;
  /** Layout of the keys; absent if the connector gave none. */
  readonly layout?: KeyLayout;
  /** Rows that earlier attempts erased: rows that refer to them must not exist either. */
  readonly gone?: Keys;
  /** Rows that attempts under another plan erased: only rows that belonged to them are looked for. */
  readonly goneElsewhere?: Keys;
  /** Rows that stay as shared or retained: the verdict says which of them exist. */
  readonly kept?: Keys;
  readonly retained?: Keys;
}

export interface Erased {
  readonly outcome: 'erased';
  /** Rows that this attempt removed; fewer than ordered if some were gone already. */
  readonly counts: Counts;
  /** For targets that report only numbers: a preview still counts erased rows, so they are reported again. */
  readonly isFoundAgain?: boolean;
  /** Rows that stayed, and whose references to erased rows became NULL. */
  readonly detached?: Counts;
  /** The detached rows that have keys. */
  readonly detachedRows?: readonly DetachedRows[];
}

export type Erasure =
  | Erased
  /** There was no order, or its transaction might not be committed: nothing was touched. */
  | { readonly outcome: 'left_out' }
  /** A lookup contradicts what the order relies on: nothing was touched, and it begins anew. */
  | { readonly outcome: 'grown' }
  /** `erased`: rows that were erased nevertheless. Without either, nothing was changed. */
  | (Held & { readonly erased?: Counts; readonly mayHaveErased?: boolean })
  | (Failed & { readonly mayHaveErased?: boolean });

/** What a transaction at a target is about to commit. */
export interface ErasingTransaction {
  /** By which the target can be asked how it ended; null if it cannot be asked. */
  readonly name: string | null;
  readonly erasures: readonly { readonly taskNo: number; readonly erasure: Erasure }[];
}

/** What is asked while a target erases. */
export interface EraseSteps {
  /**
   * The orders to carry out, of people whose rows were just found, in that order. Where a transaction begins anew, it is
   * asked again, and the last answer counts.
   */
  decide(subjects: readonly Subject[], previews: readonly Preview[]): readonly EraseOrder[];
  /**
   * Awaited last in each transaction that changes something, and before any call that is no transaction. False if that may
   * not be carried out now: the transaction is rolled back, and its people are left out. Throws if the batch is another
   * worker's by now. Without a record nothing is changed.
   */
  record(transaction: ErasingTransaction): Promise<boolean>;
}

/** `open`: it can still commit. `unknown`: the target cannot be asked, or does not know any more. */
export type TransactionEnd = 'committed' | 'rolled_back' | 'open' | 'unknown';

export type VerifyingStatement = 'sql.preview' | 'sql.verify';

export type Verdict =
  /** The target still works on it: nothing failed, and it is asked again then. */
  | { readonly outcome: 'pending'; readonly detail: string; readonly againInMs: number }
  /** `reported`: the target said so and was not queried again. `stated`: another processor says it has done its part. */
  | {
      readonly outcome: 'gone';
      readonly how: 'requeried' | 'reported' | 'stated';
      readonly statement?: Statement;
      readonly service?: ServiceNote;
      /** For hand-written statements: which of them counted no rows. */
      readonly by?: VerifyingStatement;
      /** How many of the rows that were to stay still exist. */
      readonly kept?: Counts;
      readonly retained?: Counts;
      /** For tables without a unique key: how many retained rows of the person exist. */
      readonly unnamedRetained?: Counts;
    }
  | { readonly outcome: 'remains'; readonly counts: Counts }
  /** A problem that another attempt could not solve. */
  | Held
  | Failed;

export type Resolution =
  | { readonly outcome: 'resolved'; readonly identities: readonly Identity[] }
  | Held
  | Failed;

export interface CheckLine {
  readonly level: 'ok' | 'note' | 'warning' | 'problem';
  /** What was checked: a table, a column, the account. */
  readonly subject: string;
  readonly message: string;
  /** The tables, if it is about several. */
  readonly tables?: readonly string[];
  /** Statements that solve it, with which the message ends. */
  readonly sql?: readonly string[];
  /**
   * Name under which an operator may accept a problem about something that the check cannot see. Other problems have
   * no name and cannot be accepted.
   */
  readonly finding?: string;
}

/** Whether a target may be worked on, judged only by its structure and the account's rights. */
export interface GateReport {
  /** While there are any, no task runs. */
  readonly problems: readonly CheckLine[];
  /** Findings that the operator has accepted, with the reasons given. They are copied to the evidence. */
  readonly accepted: Readonly<Record<string, string>>;
  /** Tables and columns that look personal, and are neither in the plan nor ignored. */
  readonly outside?: readonly string[];
}

export interface Connector {
  /** Whether any outcome of erasing other than `erased` means that nothing was touched for that subject. */
  readonly isAtomic?: boolean;
  /** Checks everything that could go wrong, and changes nothing. Throws only TargetDown. */
  check(): Promise<CheckLine[]>;
  /** What the plan does, as far as it fits the target; undefined if no plan can be made. */
  describePlan?(): Promise<PlanDescription | undefined>;
  /** The part of the check that must pass before any task runs. Absent if there is nothing to check. */
  gate?(): Promise<GateReport>;
  /** Looks up other identities of the same people, if the target's configuration says so. */
  resolve?(subjects: readonly Subject[]): Promise<Resolution[]>;
  preview(subjects: readonly Subject[]): Promise<Preview[]>;
  /** Finds rows, asks what may be erased of them, and erases that: where there are transactions, in one. */
  erase(subjects: readonly Subject[], steps: EraseSteps): Promise<Erasure[]>;
  /** How these transactions ended. */
  endOf?(names: readonly string[]): Promise<TransactionEnd[]>;
  /** Queries again in a new transaction, by keys and by identities. */
  verify(orders: readonly EraseOrder[]): Promise<Verdict[]>;
  close(): Promise<void>;
}

/** The target as a whole cannot be used now: every subject of the batch waits. */
export class TargetDown extends Error {
  override readonly name = 'TargetDown';
  readonly code: string;

  /** Both are our own text, never the target's. */
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
