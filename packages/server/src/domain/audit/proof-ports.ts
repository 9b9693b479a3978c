// What sealing the audit log and verifying it need from the store, and whatever signs.

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
  readonly rowsHash: Uint8Array;
  readonly hash: Uint8Array;
  readonly keyId: string;
  readonly signature: Uint8Array;
  /** Null once its rows were cut for their age. */
  readonly rowDigests: Uint8Array | null;
}

/** Where the chain ends, without the digests, which may be long. */
export type HeadEnd = Pick<AuditHead, 'headNo' | 'lastAuditNo' | 'hash'>;

/**
 * The log as a verifier reads it: a store, or an export of one. Cutting rows for their age must delete
 * them and forget their digests in one transaction, for whole heads, and leave the last row: numbers
 * go on from it.
 */
export interface AuditChain {
  /** Heads in order, a page at a time. */
  heads(afterHeadNo: number, most: number): Promise<AuditHead[]>;
  rows(firstAuditNo: number, lastAuditNo: number): Promise<ChainedRow[]>;
  rowsAfter(auditNo: number, most: number): Promise<ChainedRow[]>;
}

/** Rows that no head covers yet. */
export interface UnsealedAudit {
  readonly since: number;
  readonly rows: number;
}

export interface AuditHeadStore extends AuditChain {
  /** Undefined: every row is covered. */
  unsealed(): Promise<UnsealedAudit | undefined>;
  /**
   * Gives the rows that have come their numbers in the chain, where they do not get them on arrival:
   * transactions that run beside each other cannot number theirs without gaps.
   */
  numberRows(most: number): Promise<void>;
  lastHead(): Promise<HeadEnd | undefined>;
  /** False where another was first with that number: its head stands. */
  addHead(head: AuditHead): Promise<boolean>;
}

/** A head that was recorded elsewhere: in the log, an export, a receipt, or the file beside the store. */
export interface KnownHead {
  readonly headNo: number;
  /** Hexadecimal. */
  readonly hash: string;
}

export interface ProofSigner {
  readonly keyId: string;
  /** PEM, to be given to those who verify. */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Uint8Array;
}

export type VerifySignature = (keyId: string, bytes: Uint8Array, signature: Uint8Array) => boolean;
