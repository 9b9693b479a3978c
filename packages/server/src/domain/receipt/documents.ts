// The two signed statements about a completed request. The receipt is for its controller, and for whoever the controller
// shows it to: no names of tables, targets or staff. The full receipt stays with the operator. Both are made of the same
// evidence, and the audit log has the digests of both in one row.

import type { Evidence, TableActionName } from '../task/task.ts';

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
      /** Null if nobody had counted them before the decision. */
      readonly rows: number | null;
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

/** What both say. */
interface Statement {
  readonly version: 1;
  /** 1 for the first receipt of the request; addenda of later runs continue the count. */
  readonly receipt_no: number;
  /** The one of the same kind before it. */
  readonly previous_receipt: { readonly receipt_no: number; readonly sha256: string } | null;
  readonly processor_domain: string;
  /** Of a sandbox: nothing was erased. */
  readonly sandbox?: true;
  readonly controller_id: string;
  readonly subject_request_id: string;
  readonly regulation: string;
  readonly submitted_time: string;
  readonly received_time: string;
  /** Who entered the request for its controller. Left out if the controller submitted it. */
  readonly entered_by?: string;
  readonly started_time: string | null;
  readonly completed_time: string | null;
  readonly signed_time: string;
  readonly not_found_anywhere: boolean;
  readonly totals: Totals;
  /** The head that covers what the receipt states. */
  readonly audit_head: { readonly head_no: number; readonly hash: string } | null;
  /** Proves that the log has the row of the completion, or of the end of the last task. */
  readonly audit_proof?: InclusionProof | null;
  readonly key_id: string;
  readonly signature: string;
}

export interface Totals {
  readonly tasks: number;
  readonly rows_deleted: number;
  readonly rows_overwritten: number;
  /** Rows erased by targets that do not report how. */
  readonly rows_erased: number;
  /** Includes shared rows that were kept, and those that a person decided to keep. */
  readonly rows_retained: number;
  /** Rows deleted with their parents, from tables that the configuration lists as cascades. */
  readonly rows_removed_by_cascade: number;
  /** Rows that stay and lost their references to deleted rows. */
  readonly rows_detached: number;
  readonly rows_shared_and_kept: number;
  readonly rows_already_gone: number;
  /** Further rows, at most, that interrupted attempts may have erased. Left out if zero. */
  readonly rows_unconfirmed?: number;
}

export interface FullReceipt extends Statement {
  readonly document: 'unwrite full receipt';
  readonly retained: readonly Retained[];
  /** Left out if empty. */
  readonly accepted_evidence?: readonly AcceptedEvidence[];
  readonly plan: readonly {
    readonly target: string;
    /** What the receipt calls it; the target's name if left out. */
    readonly label?: string;
    readonly connector: string;
    readonly configuration: string | null;
  }[];
  readonly tasks: readonly ReceiptTask[];
}

export interface RetainedAtSystem {
  readonly system: string;
  /** Null if nobody had counted them before a person decided. */
  readonly rows: number | null;
  readonly reason: string | null;
  readonly legal_basis?: string;
  readonly decided_by: 'a person' | 'the configuration' | 'the system';
}

export interface SystemOutcome {
  readonly system: string;
  /** 1, and more when the same system was asked again. */
  readonly run: number;
  readonly action: Evidence['action'];
  readonly verified: Evidence['verified'];
  /** By what became of them, such as `deleted` or `shared_and_kept`. */
  readonly rows: Readonly<Record<string, number>>;
  /** Tables that the request had no identity for, and that the configuration skips then. Left out if none. */
  readonly tables_not_asked?: number;
  /** The requests for which the same rows are counted. */
  readonly already_erased_by?: readonly string[];
  /** What a rented service keeps, and what brings people back there. Left out if nothing is known of that. */
  readonly leaves?: readonly string[];
  readonly comes_back?: readonly string[];
  readonly started_time: string;
  readonly finished_time: string;
}

/** About a controller whose contract has ended, when none of its requests is open. No identities, no names of staff. */
export interface ClosingStatement {
  readonly document: 'unwrite closing statement';
  readonly version: 1;
  readonly processor_domain: string;
  readonly sandbox?: true;
  readonly controller_id: string;
  readonly created_time: string;
  readonly closed_time: string;
  readonly signed_time: string;
  /** Of all its requests, also of those whose records are forgotten. */
  readonly requests: {
    readonly completed: number;
    /** Of the completed ones. */
    readonly not_found_anywhere: number;
    readonly cancelled: number;
  };
  /** Records that are left then, and until when they are kept at most. */
  readonly records: { readonly kept: number; readonly until: string | null };
  /** The newest head; it covers every audit row about the controller that there was then. */
  readonly audit_head: { readonly head_no: number; readonly hash: string };
  readonly key_id: string;
  readonly signature: string;
}

export interface Receipt extends Statement {
  readonly document: 'unwrite receipt';
  readonly retained: readonly RetainedAtSystem[];
  /** Evidence that differs from the audit log, and that a person vouched for. Left out if empty. */
  readonly accepted_evidence?: readonly {
    readonly system: string;
    readonly reason: string;
    readonly time: string;
  }[];
  readonly systems: readonly SystemOutcome[];
  /** The full receipt, which the processor keeps. */
  readonly full_receipt_sha256: string;
}
