// What sealing and verifying the audit log need from the store, and from a signer.
import type { Actor } from '../task/operator-ports.ts';

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
   * without gaps. `covered`: the last number that a head covers.
   */
  numberRows(max: number, covered?: number): Promise<void>;
  /** False if another node added a head with that number first; that head stays. */
  addHead(head: AuditHead, tiles: readonly AuditTile[]): Promise<boolean>;
  /** Whether we wrote the row, according to its MAC. */
  isAuthentic(row: ChainedRow): boolean;
  /** Deletes what a person has accepted as foreign, and appends an audit row about it. */
  acceptDamage(damage: Damage, by: Actor, reason: string): Promise<void>;
  /** Deletes rows, seeds and old leaf tiles; keeps the record. Returns how many rows were deleted. */
  cutRows(cut: AuditCut, tiles: LeafTiles): Promise<number>;
}

/** What someone else did to the log. */
export interface Damage {
  /** Numbers of rows that are missing, or are not what was sealed. */
  readonly rows: readonly number[];
  /** Rows, heads and a record that Unwrite did not write. */
  readonly deleted: readonly ChainedRow[];
  readonly heads: readonly HeadEnd[];
  readonly cut: AuditCut | undefined;
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
