// What receipts are made of, and the store that keeps them.

import type { ChainedRow } from '../audit/proof-ports.ts';
import type { RequestKey } from '../request/request.ts';
import type { Actor } from '../task/operator-ports.ts';
import type { Evidence, Plan } from '../task/task.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { AcceptedEvidence, InclusionProof } from './documents.ts';

/** What the store knows of a completed request whose receipt is due. */
export interface ReceiptFacts {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: string;
  readonly regulation: string;
  readonly submittedTime: string;
  readonly receivedTime: number;
  /** The actor that submitted it. */
  readonly createdBy: string;
  readonly startedTime: number | null;
  readonly completedTime: number | null;
  /** Whether controller, id, regulation, times and creator are the same as at the creation. */
  readonly isAsCreated: boolean;
  readonly planId: string | null;
  readonly plan: Plan['targets'];
  /** SHA-256 of the stored plan; the plan's id is its beginning. */
  readonly planDigest: string | null;
  /** Tasks that ended since the previous receipt, in order. */
  readonly tasks: readonly {
    readonly taskNo: number;
    readonly target: string;
    readonly run: number;
    readonly evidence: Evidence;
    /** SHA-256 of the stored evidence. */
    readonly digest: string;
  }[];
  readonly previous: ({ readonly receiptNo: number } & GivenReceipt) | null;
  /** Audit rows of the request that a receipt depends on. */
  readonly rows: readonly ChainedRow[];
}

/** The proof for a receipt; or why it must not be signed, or not yet. */
export type ReceiptProof =
  | {
      readonly outcome: 'proven';
      readonly head: SignedHead;
      readonly inclusion: InclusionProof | null;
      readonly accepted: readonly AcceptedEvidence[];
    }
  | { readonly outcome: 'not yet' }
  | { readonly outcome: 'refused'; readonly reason: string };

/** A head as it is published. Its other members are defined where it is made. */
export type SignedHead = { readonly head_no: number; readonly hash: string };

/** Exactly as they were signed. */
export interface GivenReceipt {
  /** The receipt, for the controller. */
  readonly document: string;
  readonly fullDocument: string;
}

/** Their SHA-256, as in the audit log. */
export interface ReceiptDigests {
  readonly sha256: string;
  readonly fullSha256: string;
}

export type ProveReceipt = (
  facts: ReceiptFacts,
  receiptNo: number,
  previous: ReceiptDigests | null,
) => Promise<ReceiptProof>;

/** The facts contradict the audit log; the message says how. */
export class ReceiptRefused extends Error {
  override readonly name = 'ReceiptRefused';
}

export interface NewReceipt extends GivenReceipt, ReceiptDigests {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: string;
  readonly receiptNo: number;
  readonly lastTaskNo: number;
}

export interface RefusedReceipt {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: string;
  readonly reason: string;
}

export interface ReceiptReader {
  /** In order; none before the completion. */
  given(request: RequestKey): Promise<GivenReceipt[]>;
  /** Audit rows of their signing. */
  signedRows(request: RequestKey): Promise<ChainedRow[]>;
}

export interface ReceiptStore extends ReceiptReader {
  anyDue(): Promise<boolean>;
  /** Completed requests whose last work has no receipt yet. */
  due(max: number): Promise<number[]>;
  dueOf(request: RequestKey): Promise<number | undefined>;
  /** Facts about those of the requests that are completed, in no particular order. */
  facts(requestNos: readonly number[]): Promise<ReceiptFacts[]>;
  /** Adds all in one transaction with their audit rows. A receipt that another node added first stays. */
  add(receipts: readonly NewReceipt[], now: number): Promise<void>;
  /** Stops making them automatically; returns those that were not refused before. */
  refuse(refused: readonly RefusedReceipt[], now: number): Promise<RefusedReceipt[]>;
  /** An operator vouches for the stored evidence of tasks. */
  acceptEvidence(requestNo: number, reason: string, by: Actor): Promise<number>;
  /** For requests with no work since the previous receipt. */
  nothingDue(requestNos: readonly number[], now: number): Promise<void>;
  /**
   * Makes receipts due again that are marked as made but missing, among the next `max` requests. Returns where to
   * continue; undefined at the end.
   */
  reopenLost(after: number, max: number): Promise<number | undefined>;
}
