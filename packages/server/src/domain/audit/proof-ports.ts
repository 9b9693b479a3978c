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
  /** Only in an export; in a store it follows from the head's seed. */
  readonly salt?: string;
  /** Only in a store; hexadecimal. */
  readonly mac?: string | null;
}

export interface AuditHead {
  readonly headNo: number;
  readonly firstAuditNo: number;
  readonly lastAuditNo: number;
  readonly time: number;
  readonly previousHash: Uint8Array;
  /** The root of the tree. */
  readonly rowsHash: Uint8Array;
  readonly hash: Uint8Array;
  readonly keyId: string;
  readonly signature: Uint8Array;
  /** The row that is the first leaf of its tree. Its last leaf is the last row. */
  readonly treeFirst: number;
  /** Seed for the salts of the leaves that this head added; null once retention removed its rows. */
  readonly saltSeed: Uint8Array | null;
}

/** A head in its public form. */
export type HeadEnd = Omit<AuditHead, 'saltSeed'>;

/** 256 hashes of one level of the tree, or the first of them. */
export interface AuditTile {
  readonly level: number;
  readonly tileNo: number;
  readonly hashes: Uint8Array;
}

/** Records that retention removed the rows of all heads up to this one. */
export interface AuditCut {
  readonly headNo: number;
  readonly headHash: Uint8Array;
  readonly lastAuditNo: number;
  readonly headTime: number;
  /** The retention period in force at that time. */
  readonly retentionMs: number;
  readonly time: number;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** Something in the log that Unwrite did not write. */
export interface SetAside {
  readonly kind: 'row' | 'head' | 'cut';
  /** As text, because it may be larger than a safe integer. */
  readonly number: string;
  readonly time: number;
  /** JSON. */
  readonly content: string;
}

/**
 * The log as a verifier reads it: a store, or an export of one. Retention must delete rows and their salts in
 * one transaction, for whole heads, and leave the last row: numbers continue from it.
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
  /**
   * The head that added the row as a leaf. Only among heads up to the newest one of ours: someone else may have
   * inserted others that claim the row.
   */
  headOfRow(auditNo: number, newestNo: number): Promise<AuditHead | undefined>;
  newestHead(): Promise<HeadEnd | undefined>;
  head(headNo: number): Promise<HeadEnd | undefined>;
  countRows(firstAuditNo: number, lastAuditNo: number): Promise<number>;
}

/** Rows that no head covers yet. */
export interface UnsealedAudit {
  readonly since: number;
  readonly rows: number;
}

export interface AuditHeadStore extends AuditTree {
  /** Undefined if every row is covered. */
  unsealed(): Promise<UnsealedAudit | undefined>;
  /**
   * Numbers new rows in stores that do not number them on arrival: concurrent transactions cannot assign numbers
   * without gaps. `covered`: the last number that a head of ours covers. The newest head in the store may not be ours.
   */
  numberRows(max: number, covered?: number): Promise<void>;
  /** The largest possible number if a row has it, otherwise the first after this one. Text, because it may be huge. */
  nextAfter(auditNo: number): Promise<string | undefined>;
  lastUpTo(auditNo: number): Promise<string | undefined>;
  /** Any row up to that number. There should be none if all of them were removed. */
  anyUpTo(auditNo: number): Promise<string | undefined>;
  /** False if another node added a head with that number first; that head stays. */
  addHead(head: AuditHead, tiles: readonly AuditTile[]): Promise<boolean>;
  /** Whether we wrote the row, according to its MAC. */
  isAuthentic(row: ChainedRow): boolean;
  /**
   * Moves rows that we did not write out of the log. Later rows were counted on from them: they are renumbered, without
   * the gap before such a row. Numbers up to `covered` belong to rows under a head.
   */
  setRowsAside(auditNos: readonly number[], covered: number, now: number): Promise<void>;
  /** Moves the row out of the log. With `after`, the rows behind it are renumbered from there, without the gap. */
  setRowAside(auditNo: string, after: number | undefined, now: number): Promise<void>;
  /**
   * Gives the rows from `first` to `last` the numbers after `covered`. Rows that are there already move back by as many.
   * Returns false if another node was first.
   */
  moveBehind(first: number, last: number, covered: number): Promise<boolean>;
  /** Whether there is a head with a number below those that we write. */
  hasHeadBelowFirst(): Promise<boolean>;
  /** Also removes heads whose numbers are larger or smaller than any that we write. */
  setHeadsAside(heads: readonly HeadEnd[], now: number): Promise<void>;
  setCutsAside(cut: AuditCut, now: number): Promise<void>;
  /** Deletes rows, seeds and old leaf tiles; keeps the record. Returns how many rows were deleted. */
  cutRows(cut: AuditCut, tiles: LeafTiles): Promise<number>;
}

/** Leaf tiles of a tree that are not needed any more. */
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
  /** PEM, for people who verify. */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Uint8Array;
}

export type VerifySignature = (keyId: string, bytes: Uint8Array, signature: Uint8Array) => boolean;
