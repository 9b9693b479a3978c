// What a database says about the tables of a plan, from its own catalogue: the same shape for all three
// databases.

/** How a column's values travel as text, and which texts it can hold. */
export type ColumnKind = 'text' | 'integer' | 'decimal' | 'uuid' | 'binary' | 'other';

export interface ColumnShape {
  readonly name: string;
  readonly kind: ColumnKind;
  /** As the database writes it: `character varying(40)`, `bigint`. Used in casts. */
  readonly type: string;
  /** The type's short name, without lengths; of a domain, that of the type it is over. */
  readonly base?: string;
  /** The same as casts write it, where a type can be over another one. */
  readonly baseType?: string;
  /**
   * Foreign keys between columns that have the same one compare them as they compare the parent's with themselves.
   * Undefined where the database allows no other foreign keys.
   */
  readonly equality?: string;
  /** Equality of a type that is not the server's own, as statements write it. */
  readonly equals?: string;
  readonly isNullable: boolean;
  /** Computed by the database: cannot be overwritten. */
  readonly isGenerated: boolean;
  /** Gets the time with every update that does not set it: ON UPDATE CURRENT_TIMESTAMP. */
  readonly isRenewed?: boolean;
  /** Characters; null where there is no limit or no text. */
  readonly maxLength: number | null;
  /** Its type takes upper and lower case for equal, whatever the collation: PostgreSQL's citext. */
  readonly isCaseless?: boolean;
  /** The database's own name of the collation; null where it has none. */
  readonly collation: string | null;
  /** Of a text that is not in Unicode: its character set, and whether two codes of it may be one character. */
  readonly encoding?: { readonly name: string; readonly isAmbiguous: boolean };
  /** Not a column of the table, but an expression over these. */
  readonly computed?: { readonly sql: string; readonly from: readonly string[] };
}

export interface ForeignKey {
  readonly name: string;
  /** The table that refers, as the plan writes it where the plan names it. */
  readonly table: string;
  readonly columns: readonly string[];
  /** Those of them that cannot become NULL, also of a table whose shape is not read. */
  readonly required?: readonly string[];
  readonly referenced: string;
  readonly referencedColumns: readonly string[];
  /** Where tables inherit from the referenced one: the tableoid of the one whose rows are referred to. */
  readonly rowsOf?: string;
  /** The partition of the referenced table whose rows alone it refers to. */
  readonly referencedPart?: string;
  /** Where it does not hold for all rows that the table's name stands for: the tableoids of those for which it does. */
  readonly rowsIn?: readonly string[];
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
  /** Those that ON DELETE sets, where it does not set all. */
  readonly setColumns?: readonly string[];
  /** Either all of its columns are NULL, or none is. */
  readonly isMatchFull?: boolean;
  /** Its last column is a PERIOD: it refers to rows whose periods contain it together, and that is no equality. */
  readonly isOfPeriods?: boolean;
  /** Can be checked at the end of the transaction. */
  readonly isDeferrable?: boolean;
  /** By which each pair of columns is compared, where the database knows several. */
  readonly operators?: readonly ForeignOperator[];
}

/** `parent OPERATOR child`, each side in the operator's type. */
export interface ForeignOperator {
  readonly sql: string;
  readonly parentType: string | null;
  readonly childType: string;
  readonly collation: string | null;
}

/** `referencedColumns`: null where the table that it refers to does not exist. */
export interface BrokenKey extends Pick<ForeignKey, 'table' | 'columns' | 'referenced'> {
  readonly referencedColumns: readonly string[] | null;
}

export type ReferentialAction = 'no_action' | 'restrict' | 'cascade' | 'set_null' | 'set_default';

export interface Trigger {
  readonly name: string;
  readonly events: readonly RowEvent[];
  /** It rewrites statements (PostgreSQL's CREATE RULE): such tables are changed by plain statements only. */
  readonly isRule?: boolean;
  /** Read from its text, where the database does not tell afterwards what a trigger has changed. */
  readonly text?: TriggerText;
}

export type RowEvent = 'insert' | 'update' | 'delete';

export interface TriggerText {
  readonly writes: readonly TriggerWrite[];
  /** Columns of the row itself. */
  readonly sets: readonly string[];
  /** Stored procedures and functions, which may write to anything. */
  readonly calls: readonly string[];
  /** Why not all of it is understood, so that it may write to anything; null where all of it is. */
  readonly unread: string | null;
}

export interface TriggerWrite {
  readonly table: string;
  readonly event: RowEvent;
  /** Of an update: those that it sets. */
  readonly columns: readonly string[];
}

/** A unique index, or an exclusion constraint, also a partial one or on expressions. */
export interface DistinctRule {
  readonly name: string;
  /** Columns that it compares as they are. */
  readonly columns: readonly string[];
  /** Columns that it compares something made of. */
  readonly computedFrom: readonly string[];
  /** Whether what is made of NULL may be something else than NULL. */
  readonly mayFillNull: boolean;
  /** As the database writes what its columns are computed by. */
  readonly expressions: readonly string[];
  /** Only some rows are under it: those for which this holds. Null: all. */
  readonly condition: string | null;
  /** Whether two NULLs are equal to it. */
  readonly areNullsEqual: boolean;
  /** Characters of a column that it compares, where it does not compare all. */
  readonly prefixes: Readonly<Record<string, number>>;
}

export interface TableShape {
  /** As the plan writes it. */
  readonly table: string;
  readonly columns: ReadonlyMap<string, ColumnShape>;
  readonly primaryKey: readonly string[];
  /** Unique constraints and indexes beside the primary key. */
  readonly uniques: readonly (readonly string[])[];
  /** What tells rows apart within one transaction, where the table has no unique key. */
  readonly rowIdentity?: readonly ColumnShape[];
  /** All that wants rows to differ: with the primary key, and of every kind. */
  readonly rules: readonly DistinctRule[];
  readonly triggers: readonly Trigger[];
  /** The engine's name where it has no transactions; null where it has. */
  readonly withoutTransactions: string | null;
  /** Declared tables that it is a part of, as a partition or an heir. */
  readonly partOf: readonly string[];
  /** False where the account may not lock its rows. */
  readonly isLockable?: boolean;
  /** What is deleted stays readable in a history of the table. */
  readonly keepsHistory: boolean;
  /**
   * Whether a constraint says itself what becomes of rows that would break it, such as that the other row goes
   * (SQLite's ON CONFLICT REPLACE).
   */
  readonly resolvesConflicts?: boolean;
  /** Collations that only the application knows: nothing can be compared, or deleted, by them. */
  readonly unknownCollations?: readonly string[];
  /** By which it refers, or is referred to, and which the database cannot follow. */
  readonly brokenKeys?: readonly BrokenKey[];
  /** Of other tables (or itself) that refer to this one. */
  readonly referencedBy: readonly ForeignKey[];
}

/** Tables that do not exist are not in it. */
export type Catalogue = ReadonlyMap<string, TableShape>;
