// The signed documents that a controller gets beside the four endpoints. docs/verifying.md describes them.

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

/** What a controller gets. The processor keeps a full receipt with tables and names, whose SHA-256 is in this one. */
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
  /** What stays, why, and who decided that. */
  readonly retained: readonly {
    readonly system: string;
    /** Null if they were not counted. */
    readonly rows: number | null;
    readonly reason: string | null;
    readonly legal_basis?: string;
    readonly decided_by: string;
  }[];
  readonly systems: readonly {
    readonly system: string;
    readonly run: number;
    readonly action: string;
    readonly verified: string;
    /** By what became of them. */
    readonly rows: Readonly<Record<string, number>>;
    readonly started_time: string;
    readonly finished_time: string;
  }[];
  readonly totals: object;
  readonly full_receipt_sha256: string;
  /** Receipts from before the tree only have the number and the hash of a head. */
  readonly audit_head: { readonly head_no: number; readonly hash: string } | null;
  readonly audit_proof?: InclusionDocument | null;
  readonly key_id: string;
  readonly signature: string;
}
