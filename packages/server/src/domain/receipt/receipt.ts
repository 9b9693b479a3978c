// The signed statement of what was erased where and when, as it stands in the document.

import type { ChainedRow } from '../audit/proof-ports.ts';
import type { RequestKey } from '../request/request.ts';
import type { Actor } from '../task/operator-ports.ts';
import type { Evidence, Plan, TableActionName } from '../task/task.ts';
import type { ControllerId } from '../tenant/controller-id.ts';

export interface ReceiptTable {
  readonly table: string;
  readonly action: TableActionName;
  readonly rows: number;
  readonly reason?: string;
}

/** What stays, and why: by the configuration of a table, or by a person's decision. */
export type Retained =
  | {
      readonly target: string;
      readonly task: number;
      readonly table: string;
      readonly rows: number;
      readonly reason: string | null;
    }
  | {
      readonly target: string;
      readonly task: number;
      readonly legal_basis: string | null;
      readonly reason: string | null;
      readonly by: string | null;
      readonly time: string;
    };

export interface ReceiptTask extends Omit<Evidence, 'tables'> {
  readonly target: string;
  readonly task: number;
  readonly run: number;
  readonly tables: readonly ReceiptTable[];
}

/** Evidence that is not what the audit log says, and that an operator vouches for. */
export interface AcceptedEvidence {
  readonly task: number;
  readonly by: string;
  readonly reason: string;
  readonly time: string;
}

/** Proves that a row of the audit log is in the tree of a signed head. */
export interface InclusionProof {
  /** A JSON text: what the leaf is the hash of. */
  readonly entry: string;
  readonly leaf_index: number;
  /** Hexadecimal. */
  readonly path: readonly string[];
}

export interface Receipt {
  readonly document: 'unwrite receipt';
  readonly version: 1;
  /** 1 for the receipt of the request; addenda of later runs count on. */
  readonly receipt_no: number;
  readonly previous_receipt: { readonly receipt_no: number; readonly sha256: string } | null;
  readonly processor_domain: string;
  readonly controller_id: string;
  readonly subject_request_id: string;
  readonly regulation: string;
  readonly submitted_time: string;
  readonly received_time: string;
  readonly started_time: string | null;
  readonly completed_time: string | null;
  readonly signed_time: string;
  readonly not_found_anywhere: boolean;
  readonly retained: readonly Retained[];
  /** Left out where there is none. */
  readonly accepted_evidence?: readonly AcceptedEvidence[];
  readonly plan: readonly {
    readonly target: string;
    readonly connector: string;
    readonly configuration: string | null;
  }[];
  readonly tasks: readonly ReceiptTask[];
  readonly totals: {
    readonly tasks: number;
    readonly rows_deleted: number;
    readonly rows_overwritten: number;
    /** By targets that do not say how. */
    readonly rows_erased: number;
    /** Shared ones that were kept among them. */
    readonly rows_retained: number;
    /** With their parents, from tables that the configuration lists for that. */
    readonly rows_removed_by_cascade: number;
    /** Rows that stay, and lost their references to deleted ones. */
    readonly rows_detached: number;
    readonly rows_shared_and_kept: number;
    readonly rows_already_gone: number;
    /** At most so many more, by attempts that were cut off. Left out where there are none. */
    readonly rows_unconfirmed?: number;
  };
  /** The head that covers what the receipt states. For heads of version 1: only number and hash. */
  readonly audit_head: { readonly head_no: number; readonly hash: string } | null;
  /** That the log has the row that the request was completed, or that its last task ended. */
  readonly audit_proof?: InclusionProof | null;
  readonly key_id: string;
  readonly signature: string;
}

/** What the store knows of a completed request whose receipt is due. */
export interface ReceiptFacts {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: string;
  readonly regulation: string;
  readonly submittedTime: string;
  readonly receivedTime: number;
  readonly startedTime: number | null;
  readonly completedTime: number | null;
  /** Whether the request says what it said when it was created: controller, id, regulation, times, who. */
  readonly isAsCreated: boolean;
  readonly planId: string | null;
  readonly plan: Plan['targets'];
  /** SHA-256 of the stored plan; the plan's id is its beginning. */
  readonly planDigest: string | null;
  /** Those that ended since the receipt before, in order. */
  readonly tasks: readonly {
    readonly taskNo: number;
    readonly target: string;
    readonly run: number;
    readonly evidence: Evidence;
    /** SHA-256 of the stored evidence. */
    readonly digest: string;
  }[];
  readonly previous: { readonly receiptNo: number; readonly document: string } | null;
  /** What the audit log has of the request, as far as a receipt depends on it. */
  readonly rows: readonly ChainedRow[];
}

/** What proves a receipt; or why it must not be signed, or not yet. */
export type ReceiptProof =
  | {
      readonly outcome: 'proven';
      readonly head: SignedHead;
      readonly inclusion: InclusionProof | null;
      readonly accepted: readonly AcceptedEvidence[];
    }
  | { readonly outcome: 'not yet' }
  | { readonly outcome: 'refused'; readonly reason: string };

/** A head as everybody gets it. Its members are known where it is made. */
export type SignedHead = { readonly head_no: number; readonly hash: string };

export type ProveReceipt = (
  facts: ReceiptFacts,
  receiptNo: number,
  previousSha256: string | null,
) => Promise<ReceiptProof>;

/** It is not what the audit log says; the message says what is not. */
export class ReceiptRefused extends Error {
  override readonly name = 'ReceiptRefused';
}

export interface NewReceipt {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: string;
  readonly receiptNo: number;
  readonly lastTaskNo: number;
  readonly document: string;
  readonly sha256: string;
}

export interface RefusedReceipt {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly subjectRequestId: string;
  readonly reason: string;
}

export interface ReceiptReader {
  /** The documents exactly as they were signed, in order; none before the completion. */
  documents(request: RequestKey): Promise<string[]>;
  /** What the audit log has of their signing. */
  signedRows(request: RequestKey): Promise<ChainedRow[]>;
}

export interface ReceiptStore extends ReceiptReader {
  anyDue(): Promise<boolean>;
  /** Completed, and without a receipt of what was done last. */
  due(max: number): Promise<number[]>;
  dueOf(request: RequestKey): Promise<number | undefined>;
  /** Facts about those of the requests that are completed, in no particular order. */
  facts(requestNos: readonly number[]): Promise<ReceiptFacts[]>;
  /** All in one transaction with their audit rows. Where another was first, its receipt stands. */
  add(receipts: readonly NewReceipt[], now: number): Promise<void>;
  /** Not due by itself any more; answers those that were not refused before. */
  refuse(refused: readonly RefusedReceipt[], now: number): Promise<RefusedReceipt[]>;
  /** An operator vouches for the stored evidence of tasks. */
  acceptEvidence(requestNo: number, reason: string, by: Actor): Promise<number>;
  /** Nothing was done since the receipt before. */
  nothingDue(requestNos: readonly number[], now: number): Promise<void>;
  /**
   * Makes receipts due again that are marked as made but missing, among the next `max` requests. Returns where to
   * continue; undefined at the end.
   */
  reopenLost(after: number, max: number): Promise<number | undefined>;
}
