// Proofs for controllers and witnesses. Only the public key is needed to verify them.
import type { InclusionProof } from '../receipt/documents.ts';
import type { RequestKey } from '../request/request.ts';

/** The members of a signed head; docs/verifying.md says how it is verified. */
export interface HeadDocument {
  readonly document: 'unwrite audit head';
  readonly head_no: number;
  readonly last_audit_no: number;
  readonly hash: string;
}

/** Proves that the tree of one head is the beginning of the tree of another. */
export interface ConsistencyDocument {
  readonly document: 'unwrite audit consistency';
  readonly from: HeadDocument;
  readonly to: HeadDocument;
  /** Hexadecimal. */
  readonly path: readonly string[];
}

/** Proves that the log contains the receipt: the row of its signing names its SHA-256. */
export interface ReceiptProofDocument {
  readonly document: 'unwrite receipt proof';
  readonly receipt_sha256: string;
  readonly head: HeadDocument;
  readonly inclusion: InclusionProof;
}

/** No such proof can be made; the message says why. */
export class NoProof extends Error {
  override readonly name = 'NoProof';
}

/** Each throws NoProof. */
export interface AuditProofs {
  newestHead(): Promise<HeadDocument>;
  /** Up to the newest head if `toHeadNo` is left out. */
  consistency(fromHeadNo: number, toHeadNo?: number): Promise<ConsistencyDocument>;
  receipt(request: RequestKey, receiptNo: number): Promise<ReceiptProofDocument>;
}
