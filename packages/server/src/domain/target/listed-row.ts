/** A row in which identities are looked up. */
export interface ListedRow {
  /** The values of its key; the same for all rows of a table without one. */
  readonly key: string;
  /** Names of the identities that it gives. */
  readonly names: readonly string[];
}

/** Rows that give an identity, and have to give it until they are erased. */
export interface ReliedRows {
  /** The target that looks up. */
  readonly source: string;
  /** Of the identity: its type and its value. */
  readonly name: string;
  /** Keys of the rows that gave it. */
  readonly gave: readonly string[];
}
