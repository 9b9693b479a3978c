// A target's configuration joined with its catalogue: every name is an existing column, and every way from a
// row to its owner is known.
import type { IdentityType } from '@unwrite/protocol';
import type { JsonPath } from '../../../domain/target/json-path.ts';
import type { Shared, TableAction } from '../../../domain/target/target.ts';
import type { ColumnShape, ForeignOperator, ReferentialAction } from '../catalogue.ts';
import type { Comparison } from './compare-columns.ts';
import type { Release } from './erasing-order.ts';
import type { PlannedWhere } from './where-values.ts';

export interface Plan {
  /** Parents before children: the order in which rows are found. */
  readonly tables: readonly PlannedTable[];
  /** Only read, because they know the tenants of other tables' rows. */
  readonly leads: readonly PlannedTable[];
  /**
   * Children before parents, as configured: the order in which rows are erased. Without retained tables.
   */
  readonly erased: readonly PlannedTable[];
  /** Foreign keys of the plan's tables to rows that are deleted. */
  readonly references: readonly PlannedReference[];
  /** Whether a foreign key with RESTRICT refers to a table from which rows are deleted. */
  readonly isRestricted: boolean;
  /** Overwritten columns whose foreign keys refuse another value, as messages. */
  readonly referredOverwrites: readonly string[];
  /**
   * References of tables outside the plan that prevent rows from being deleted, in the form of "detach".
   */
  readonly refusing: readonly string[];
}

export interface PlannedTable {
  /** The name of the entry: unique in a plan. */
  readonly name: string;
  /** The table's name in the catalogue. Entries of the same table have the same columns, key and tenant. */
  readonly table: string;
  /** As in TableShape. */
  readonly schema?: string | undefined;
  readonly sqlName: string;
  /** Other entries of the table that may have the same rows, and overwrite other columns of them. */
  readonly beside: readonly string[];
  /**
   * Appended to a SELECT of rows that are not changed but decide whose others are: locks them until the
   * end.
   */
  readonly forShare: string;
  /** The beginning of an UPDATE of the table, in the form that fails if it would violate a constraint. */
  readonly update: string;
  /** The entry ignores all other rows. */
  readonly where: readonly PlannedWhere[];
  /** The key, followed by the columns that children refer to. A KeyRow has their values in this order. */
  readonly columns: readonly ColumnShape[];
  readonly keySize: number;
  /**
   * The table has no unique key: its rows are identified within one transaction only, and no intent names
   * them.
   */
  readonly isUnnamed: boolean;
  readonly matches: readonly PlannedMatch[];
  /**
   * Compared in every table that has it; null if this one does not, or rows are not told apart by a column.
   */
  readonly tenant: ColumnShape | null;
  /** References to rows that have the tenant of its rows, where that column is missing or NULL. */
  readonly tenantBy: readonly PlannedVia[];
  readonly vias: readonly PlannedVia[];
  readonly action: TableAction;
  /** The columns of `overwrite`, by name. */
  readonly overwritten: ReadonlyMap<string, ColumnShape>;
  /** Columns that an index or constraint requires to be different in each row, alone or with others. */
  readonly distinct: ReadonlySet<string>;
  /** Foreign keys that change other rows along with the columns of `overwrite`. */
  readonly followers: readonly Follower[];
  readonly shared: Shared;
  /** Whether one row can be tied to several people: then each row is checked. */
  readonly hasSeveralOwners: boolean;
  readonly whenUnmatched: 'hold' | 'skip';
  /** Foreign keys of the table to itself. */
  readonly selfKeys: readonly SelfKey[];
  /** Reached only by foreign keys: its rows are deleted with their parents. */
  readonly isCascaded: boolean;
}

export interface Follower {
  readonly table: string;
  readonly sqlName: string;
  readonly columns: readonly string[];
  readonly referenced: readonly string[];
  /** As in PlannedReference. */
  readonly rowsIn: readonly string[] | null;
  /** Foreign keys of other tables that change along with its columns. */
  readonly followers: readonly Follower[];
}

export interface SelfKey extends ComparedColumns {
  readonly onDelete: ReferentialAction;
}

/** The parts of a reference that are needed to compare values. */
export type ComparedColumns = Pick<
  PlannedVia,
  'columns' | 'parentColumns' | 'comparisons' | 'joined'
>;

/** Where a value is, and how it is read. */
export interface MatchedPlace {
  readonly column: ColumnShape;
  /** The path inside the column's JSON; null if the column itself is the value. */
  readonly path: JsonPath | null;
  /** Blanks around it are ignored. */
  readonly trim: boolean;
}

export interface PlannedMatch extends MatchedPlace {
  readonly type: IdentityType;
  readonly isLowerIndexed: boolean;
}

export interface PlannedVia {
  /** The parent's table. */
  readonly parent: string;
  /** The names of the parent's entries that are meant: the reference may lead to rows of any of them. */
  readonly entries: readonly string[];
  /** Other entries of that table, whose rows have the same owner as this row. */
  readonly descending: readonly string[];
  /** Others, which may have the same rows and say nothing of whose they are. */
  readonly beside: readonly string[];
  readonly columns: readonly ColumnShape[];
  /** The positions of their values in the parent's KeyRow. */
  readonly positions: readonly number[];
  readonly parentColumns: readonly ColumnShape[];
  /** How each column is compared with the parent's. */
  readonly comparisons: readonly Comparison[];
  readonly uniqueness: Uniqueness;
  /** The parent's columns are unique by themselves, though values that are written differently may mean the same. */
  readonly namesOneRow: boolean;
  /**
   * Both tables have a tenant column: it is part of the reference if the others do not identify one row.
   */
  readonly comparesTenant: boolean;
  /** The parent's rows belong to all tenants: the children's own tenant decides which of them are ours. */
  readonly isOfAllTenants?: boolean;
  /** It is followed for the tenant of the rows that it leads to. */
  readonly isTenant?: boolean;
  /** The parent's rows refer to this table's key: an address that users have, a household. */
  readonly isReverse: boolean;
  /** A foreign key of the database: what the database treats as equal is equal. */
  readonly isForeignKey: boolean;
  /** A foreign key of either table shows that values in different spellings are equal. */
  readonly isTakenForEqual: boolean;
  /** Set if only the foreign key can compare the values. */
  readonly joined: JoinedTables | null;
}

/**
 * A foreign key whose two sides differ in type or collation: only the database can say which values are
 * equal.
 */
export interface JoinedTables {
  readonly parent: string;
  readonly child: string;
  /** In the order of the columns. */
  readonly operators: readonly (ForeignOperator | undefined)[];
  /** The foreign key is the parent's: a household to which its members refer. */
  readonly isReversed: boolean;
}

/**
 * Whether the parent's columns identify one row: by themselves, only together with the tenant column that
 * both tables have, or not at all.
 */
export type Uniqueness = 'alone' | 'with_tenant' | 'none';

/** A foreign key by which rows of a table refer to rows that are deleted. */
export interface PlannedReference {
  /** The foreign key's own name. */
  readonly key: string;
  readonly table: ReferringTable;
  readonly parent: string;
  /** The names of the parent's entries from which rows are deleted. */
  readonly entries: readonly string[];
  readonly columns: readonly ColumnShape[];
  readonly positions: readonly number[];
  readonly parentColumns: readonly ColumnShape[];
  readonly comparisons: readonly Comparison[];
  readonly joined: JoinedTables | null;
  /** If the key does not apply to all rows of the table: the tableoids of those to which it does. */
  readonly rowsIn: readonly string[] | null;
  readonly onDelete: ReferentialAction;
  /** The plan finds every referring row, and deletes it too. */
  readonly isFoundByVia: boolean;
  /** How it becomes NULL in rows that stay; null if that is not allowed. */
  readonly detachedBy: 'database' | 'update' | null;
  /** Allowed by its table, under "cascades", and not by a column. */
  readonly isListed: boolean;
  /** If the parent is deleted first: how rows that are deleted too lose their reference. */
  readonly release: Release | null;
  /** Set to NULL by our own statements. */
  readonly nulled: readonly ColumnShape[];
  /** Set by the foreign key itself, if it sets any. */
  readonly setColumns: readonly string[];
  /** The columns that change in rows that stay. */
  readonly detached: readonly ColumnShape[];
  /** Foreign keys that change other rows along with it. */
  readonly followers: readonly Follower[];
}

/**
 * The parts of a table that are read if its rows refer to others, whichever entries it has; it need not be
 * declared.
 */
export interface ReferringTable
  extends Pick<
    PlannedTable,
    | 'name'
    | 'sqlName'
    | 'update'
    | 'columns'
    | 'keySize'
    | 'isUnnamed'
    | 'tenant'
    | 'tenantBy'
    | 'vias'
  > {
  /** Columns that any update would change. */
  readonly renewed: readonly ColumnShape[];
}
