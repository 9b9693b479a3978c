// What the audit log's sealer and its verifier need from the store.

/** A row of the audit log with everything that the chain covers. */
export interface ChainedRow {
  readonly auditNo: number;
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly controllerId: string | null;
  readonly subjectRequestId: string | null;
  readonly detail: string | null;
  readonly requestNo: number | null;
}

export interface AuditHead {
  readonly headNo: number;
  readonly firstAuditNo: number;
  readonly lastAuditNo: number;
  readonly time: number;
  readonly previousHash: Uint8Array;
  /** Null once its rows were cut for their age. */
  readonly rowDigests: Uint8Array | null;
  readonly rowsHash: Uint8Array;
  readonly hash: Uint8Array;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

export interface AuditHeadStore {
  lastHead(): AuditHead | undefined;
  /** Heads in order, a page at a time. */
  heads(afterHeadNo: number, most: number): AuditHead[];
  rows(firstAuditNo: number, lastAuditNo: number): ChainedRow[];
  rowsAfter(auditNo: number, most: number): ChainedRow[];
  addHead(head: AuditHead): void;
}

export interface ProofSigner {
  readonly keyId: string;
  /** PEM, to be given to whoever wants to verify. */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Uint8Array;
}

export type VerifySignature = (keyId: string, bytes: Uint8Array, signature: Uint8Array) => boolean;
