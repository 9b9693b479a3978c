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

/** What stays and why: by a table's configuration, or by an operator's decision. */
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
  /** JSON text that the leaf is the hash of. */
  readonly entry: string;
  readonly leaf_index: number;
  /** Hexadecimal. */
  readonly path: readonly string[];
}

export interface Receipt {
  readonly document: 'unwrite receipt';
  readonly version: 1;
  /** 1 for the first receipt of the request; addenda of later runs continue the count. */
  readonly receipt_no: number;
  readonly previous_receipt: { readonly receipt_no: number; readonly sha256: string } | null;
  readonly processor_domain: string;
  /** Of a sandbox: nothing was erased. */
  readonly sandbox?: true;
  readonly controller_id: string;
  readonly subject_request_id: string;
  readonly regulation: string;
  readonly submitted_time: string;
  readonly received_time: string;
  /** The operator who entered the request for its controller. Left out if the controller submitted it. */
  readonly entered_by?: string;
  readonly started_time: string | null;
  readonly completed_time: string | null;
  readonly signed_time: string;
  readonly not_found_anywhere: boolean;
  readonly retained: readonly Retained[];
  /** Left out if empty. */
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
    /** Rows erased by targets that do not report how. */
    readonly rows_erased: number;
    /** Includes shared rows that were kept. */
    readonly rows_retained: number;
    /** Rows deleted with their parents, from tables that the configuration lists as cascades. */
    readonly rows_removed_by_cascade: number;
    /** Rows that stay and lost their references to deleted rows. */
    readonly rows_detached: number;
    readonly rows_shared_and_kept: number;
    readonly rows_already_gone: number;
    /** Further rows, at most, that interrupted attempts may have erased. Left out if zero. */
    readonly rows_unconfirmed?: number;
  };
  /** The head that covers what the receipt states. For heads of version 1: only number and hash. */
  readonly audit_head: { readonly head_no: number; readonly hash: string } | null;
  /** Proves that the log has the row of the completion, or of the end of the last task. */
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
  readonly previous: { readonly receiptNo: number; readonly document: string } | null;
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

export type ProveReceipt = (
  facts: ReceiptFacts,
  receiptNo: number,
  previousSha256: string | null,
) => Promise<ReceiptProof>;

/** The facts contradict the audit log; the message says how. */
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
