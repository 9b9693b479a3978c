// What sealing and verifying the audit log need from the store, and from a signer.

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
  /** In an export; in a store it follows from the head's seed. */
  readonly salt?: string;
  /** In a store; in hexadecimal. */
  readonly mac?: string | null;
}

export interface AuditHead {
  readonly headNo: number;
  readonly firstAuditNo: number;
  readonly lastAuditNo: number;
  readonly time: number;
  readonly previousHash: Uint8Array;
  /** The root of the tree; in version 1 the hash of the digests. */
  readonly rowsHash: Uint8Array;
  readonly hash: Uint8Array;
  readonly keyId: string;
  readonly signature: Uint8Array;
  readonly version: number;
  /** The row that is the first leaf of its tree. Its last leaf is the last row. */
  readonly treeFirst: number | null;
  /** Seed for the salts of the leaves that this head added; null once retention removed its rows. */
  readonly saltSeed: Uint8Array | null;
  /** Digests of the rows, for heads of version 1; null once retention removed the rows. */
  readonly rowDigests: Uint8Array | null;
}

/** Without what may be long. */
export type HeadEnd = Omit<AuditHead, 'rowDigests' | 'saltSeed'>;

/** 256 hashes of one level of the tree, or the first of them. */
export interface AuditTile {
  readonly level: number;
  readonly tileNo: number;
  readonly hashes: Uint8Array;
}

/** That the rows of all heads up to one were cut for their age. */
export interface AuditCut {
  readonly headNo: number;
  readonly headHash: Uint8Array;
  readonly lastAuditNo: number;
  readonly headTime: number;
  /** How old heads had to be. */
  readonly retentionMs: number;
  readonly time: number;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** Something in the log that Unwrite did not write. */
export interface SetAside {
  readonly kind: 'row' | 'head' | 'cut';
  /** As a text: it may be beyond what a number can hold. */
  readonly number: string;
  readonly time: number;
  /** JSON. */
  readonly content: string;
}

/**
 * The log as a verifier reads it: a store, or an export of one. Cutting rows for their age must delete
 * them and forget their digests in one transaction, for whole heads, and leave the last row: numbers
 * go on from it.
 */
export interface AuditChain {
  /** Heads in order, a page at a time. */
  heads(afterHeadNo: number, max: number): Promise<AuditHead[]>;
  rows(firstAuditNo: number, lastAuditNo: number): Promise<ChainedRow[]>;
  rowsAfter(auditNo: number, max: number): Promise<ChainedRow[]>;
  cut(): Promise<AuditCut | undefined>;
  setAside(): Promise<SetAside[]>;
}

/** A log whose tree is stored, so that proofs can be made. */
export interface AuditTree extends AuditChain {
  tile(treeFirst: number, level: number, tileNo: number): Promise<Uint8Array | undefined>;
  /** The newest heads below that number, newest first. */
  headsBefore(headNo: number, max: number): Promise<HeadEnd[]>;
  /** The head of that version that covers the row: of version 2, the one that made it a leaf. */
  headOfRow(auditNo: number, version: number): Promise<AuditHead | undefined>;
  firstTreeHead(): Promise<HeadEnd | undefined>;
  newestTreeHead(): Promise<HeadEnd | undefined>;
  head(headNo: number): Promise<HeadEnd | undefined>;
  countRows(firstAuditNo: number, lastAuditNo: number): Promise<number>;
}

/** Rows that no head covers yet. */
export interface UnsealedAudit {
  readonly since: number;
  readonly rows: number;
}

export interface AuditHeadStore extends AuditTree {
  /** Undefined: every row is covered. */
  unsealed(): Promise<UnsealedAudit | undefined>;
  /**
   * Gives the rows that have come their numbers in the chain, where they do not get them on arrival:
   * transactions that run beside each other cannot number theirs without gaps.
   */
  numberRows(max: number): Promise<void>;
  /** The number of the first row after that, or the largest that there can be. As texts, however large they are. */
  nextAfter(auditNo: number): Promise<string | undefined>;
  lastUpTo(auditNo: number): Promise<string | undefined>;
  /** Any row up to that number; there should be none where all are cut. */
  anyUpTo(auditNo: number): Promise<string | undefined>;
  lastHead(): Promise<HeadEnd | undefined>;
  /** False where another was first with that number: its head stands. */
  addHead(head: AuditHead, tiles: readonly AuditTile[]): Promise<boolean>;
  /** Whether we wrote it: by its MAC. */
  isAuthentic(row: ChainedRow): boolean;
  /** Takes rows that we did not write out of the log. Those that follow move up, and no number is missing but those that were. */
  setRowsAside(auditNos: readonly number[], now: number): Promise<void>;
  /** Takes the row out of the log. With `after`, those that follow it go on after that number, without the gap. */
  setRowAside(auditNo: string, after: number | undefined, now: number): Promise<void>;
  /** And those whose numbers are beyond what we write. */
  setHeadsAside(heads: readonly HeadEnd[], now: number): Promise<void>;
  setCutsAside(cut: AuditCut, now: number): Promise<void>;
  /** Deletes rows, seeds and digests, and tiles of leaves before that one; keeps the record. Answers how many rows. */
  cutRows(cut: AuditCut, tiles: LeafTiles | undefined): Promise<number>;
  /** One of an earlier version is authenticated from then on. */
  adoptCut(cut: AuditCut): Promise<void>;
}

/** The tiles of leaves of a tree that are not needed any more. */
export interface LeafTiles {
  readonly treeFirst: number;
  readonly before: number;
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
