// What a database's own catalogue says about the tables of a plan: the same shape for all three databases.

/** How a column's values are written as text, and which texts it can hold. */
export type ColumnKind = 'text' | 'integer' | 'decimal' | 'uuid' | 'binary' | 'other';

export interface ColumnShape {
  readonly name: string;
  readonly kind: ColumnKind;
  /** As the database writes it: `character varying(40)`, `bigint`. Used in casts. */
  readonly type: string;
  /** The type's short name, without lengths; for a domain, that of its base type. */
  readonly base?: string;
  /** The base type in the form used in casts, if a type can have one. */
  readonly baseType?: string;
  /**
   * Between columns with the same value here, a foreign key compares values in the same way as the parent's
   * own equality. Undefined if the database allows no other foreign keys.
   */
  readonly equality?: string;
  /** The equality operator of a user-defined type, as statements write it. */
  readonly equals?: string;
  readonly isNullable: boolean;
  /** Computed by the database, so it cannot be overwritten. */
  readonly isGenerated: boolean;
  /** Set to the current time by every update that does not set it: ON UPDATE CURRENT_TIMESTAMP. */
  readonly isRenewed?: boolean;
  /** Maximum number of characters; null if there is no limit or it is not a text. */
  readonly maxLength: number | null;
  /** Its type ignores case in every collation: PostgreSQL's citext. */
  readonly isCaseless?: boolean;
  /** The database's own name of the collation; null if it has none. */
  readonly collation: string | null;
  /** PostgreSQL: the collation, as SQL, if it treats different texts as equal. */
  readonly looseCollation?: string;
  /**
   * For a text that is not in Unicode: its character set, and whether two codes may be the same character.
   */
  readonly encoding?: { readonly name: string; readonly isAmbiguous: boolean };
  /** Not a column of the table, but an expression over these columns. */
  readonly computed?: { readonly sql: string; readonly from: readonly string[] };
}

export interface ForeignKey {
  readonly name: string;
  /** The table that refers, by its name in the plan if it has one. */
  readonly table: string;
  readonly columns: readonly string[];
  /** Columns that cannot become NULL; also known for a table whose shape is not read. */
  readonly required?: readonly string[];
  readonly referenced: string;
  readonly referencedColumns: readonly string[];
  /** The partition, if the key refers only to rows of one partition. */
  readonly referencedPart?: string;
  /** If the key does not apply to all rows of its table: the tableoids of those to which it does. */
  readonly rowsIn?: readonly string[];
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
  /** The columns that ON DELETE sets, if not all. */
  readonly setColumns?: readonly string[];
  /** MATCH FULL: either all of its columns are NULL, or none is. */
  readonly isMatchFull?: boolean;
  /**
   * Its last column is a PERIOD: it refers to rows whose periods together contain it, which is not
   * equality.
   */
  readonly isOfPeriods?: boolean;
  /**
   * Columns that store one value differently than those they refer to, while the key compares what is stored: it
   * refers to other rows than the values say.
   */
  readonly unlike?: readonly UnlikeColumn[];
  /** Can be checked at the end of the transaction. */
  readonly isDeferrable?: boolean;
  /** The operators that compare each pair of columns, if the database has several. */
  readonly operators?: readonly ForeignOperator[];
}

/** `parent OPERATOR child`, each side in the operator's type. */
export interface ForeignOperator {
  readonly sql: string;
  readonly parentType: string | null;
  readonly childType: string;
  readonly collation: string | null;
}

/** `referencedColumns`: null if the referenced table does not exist. */
export interface UnlikeColumn {
  readonly column: string;
  readonly type: string;
  readonly referencedType: string;
}

export interface BrokenKey extends Pick<ForeignKey, 'table' | 'columns' | 'referenced'> {
  readonly referencedColumns: readonly string[] | null;
}

export type ReferentialAction = 'no_action' | 'restrict' | 'cascade' | 'set_null' | 'set_default';

export interface Trigger {
  readonly name: string;
  readonly events: readonly RowEvent[];
  /** An update fires it only if it sets one of these (UPDATE OF); missing if any does. */
  readonly columns?: readonly string[];
  /**
   * It rewrites statements (PostgreSQL's CREATE RULE): such tables are changed only by plain statements.
   */
  readonly isRule?: boolean;
}

export type RowEvent = 'insert' | 'update' | 'delete';

/** A unique index or an exclusion constraint, including partial ones and those on expressions. */
export interface DistinctRule {
  readonly name: string;
  /** Columns that it compares directly. */
  readonly columns: readonly string[];
  /** Columns that it compares through an expression. */
  readonly computedFrom: readonly string[];
}

export interface TableShape {
  /** By its name in the plan. */
  readonly table: string;
  /** Where it was found, if settings of the server or of the account decide where a name is looked for. */
  readonly schema?: string;
  readonly columns: ReadonlyMap<string, ColumnShape>;
  /** The account, as GRANT names it, if the database hides other columns of the table from it. */
  readonly columnsHiddenFrom?: string;
  /** The account, if the database hides from it foreign keys that refer to the table. */
  readonly keysHiddenFrom?: string;
  /** The account, if it may not read how many rows a transaction has changed, where that is needed. */
  readonly changesHiddenFrom?: string;
  /** The account, if the database hides from it the triggers of the table. */
  readonly triggersHiddenFrom?: string;
  readonly primaryKey: readonly string[];
  /** Unique constraints and indexes besides the primary key. */
  readonly uniques: readonly (readonly string[])[];
  /** Identifies rows within one transaction, if the table has no unique key. */
  readonly rowIdentity?: readonly ColumnShape[];
  /** All rules that require rows to differ, including the primary key. */
  readonly rules: readonly DistinctRule[];
  readonly triggers: readonly Trigger[];
  /** The engine's name if it has no transactions; otherwise null. */
  readonly withoutTransactions: string | null;
  /** Declared tables of which it is a partition or inheriting table. */
  readonly partOf: readonly string[];
  /** Tables that are not its partitions inherit from it: its keys may be there again in each of them. */
  readonly isInherited?: boolean;
  /** False if the account may not lock its rows. */
  readonly isLockable?: boolean;
  /** Deleted rows stay readable in a history of the table. */
  readonly keepsHistory: boolean;
  /**
   * Whether a constraint itself says what happens to rows that would violate it, for example that the other
   * row is deleted (SQLite's ON CONFLICT REPLACE).
   */
  readonly resolvesConflicts?: boolean;
  /** Collations that only the application has: nothing can be compared or deleted with them. */
  readonly unknownCollations?: readonly string[];
  /** Foreign keys from or to this table that the database cannot follow. */
  readonly brokenKeys?: readonly BrokenKey[];
  /** Foreign keys of other tables (or itself) that refer to this one. */
  readonly referencedBy: readonly ForeignKey[];
}

/** Contains only tables that exist. */
export type Catalogue = ReadonlyMap<string, TableShape>;
