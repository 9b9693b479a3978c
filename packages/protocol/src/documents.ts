// The signed documents that a controller gets beside the four endpoints. docs/receipts-and-audit.md describes them.

/** The signed root of a Merkle tree of all rows of the audit log. */
export interface AuditHeadDocument {
  readonly version: number;
  readonly head_no: number;
  readonly first_audit_no: number;
  readonly last_audit_no: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly tree_first: number;
  readonly tree_size: number;
  readonly root: string;
  readonly previous_hash: string;
  readonly hash: string;
  readonly key_id: string;
  readonly signature: string;
}

/** Proves that a row of the audit log is in the tree of a head. */
export interface InclusionDocument {
  /** The row, as the JSON text that the leaf is the hash of. */
  readonly entry: string;
  readonly leaf_index: number;
  readonly path: readonly string[];
}

/** What every receipt has; its tables and tasks are for people to read. */
export interface ReceiptDocument {
  readonly document: 'unwrite receipt';
  readonly version: 1;
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
  readonly retained: readonly object[];
  readonly plan: readonly {
    readonly target: string;
    readonly connector: string;
    readonly configuration: string | null;
  }[];
  readonly tasks: readonly { readonly target: string; readonly action: string }[];
  readonly totals: Readonly<Record<string, number>>;
  /** Receipts from before the tree only have the number and the hash of a head. */
  readonly audit_head: { readonly head_no: number; readonly hash: string } | null;
  readonly audit_proof?: InclusionDocument | null;
  readonly key_id: string;
  readonly signature: string;
}
