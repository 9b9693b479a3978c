// The signed statement of what was erased where and when, as it stands in the document.

import type { KnownHead } from '../audit/proof-ports.ts';
import type { RequestKey } from '../request/request.ts';
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
  };
  readonly audit_head: { readonly head_no: number; readonly hash: string } | null;
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
  readonly plan: Plan['targets'];
  /** Those that ended since the receipt before, in order. */
  readonly tasks: readonly {
    readonly taskNo: number;
    readonly target: string;
    readonly run: number;
    readonly evidence: Evidence;
  }[];
  readonly previous: { readonly receiptNo: number; readonly document: string } | null;
  readonly head: KnownHead | null;
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

export interface ReceiptReader {
  /** The documents exactly as they were signed, in order; none before the completion. */
  documents(request: RequestKey): Promise<string[]>;
}

export interface ReceiptStore extends ReceiptReader {
  anyDue(): Promise<boolean>;
  /** Completed, and without a receipt of what was done last. */
  due(most: number): Promise<number[]>;
  dueOf(request: RequestKey): Promise<number | undefined>;
  /** Of those that are completed, in no order. */
  facts(requestNos: readonly number[]): Promise<ReceiptFacts[]>;
  /** All in one transaction with their audit rows. Where another was first, its receipt stands. */
  add(receipts: readonly NewReceipt[], now: number): Promise<void>;
  /** Nothing was done since the receipt before. */
  nothingDue(requestNos: readonly number[], now: number): Promise<void>;
}
