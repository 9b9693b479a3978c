/** A row in which identities are looked up. */
export interface ListedRow {
  /** The values of its key; the same for all rows of a table without one. */
  readonly key: string;
  /** Names of the identities that it gives. */
  readonly names: readonly string[];
}
