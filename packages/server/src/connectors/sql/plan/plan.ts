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
  /** Parents before children, as rows are found. */
  readonly tables: readonly PlannedTable[];
  /** Children before parents, as configured, as rows are erased. Without what is retained. */
  readonly erased: readonly PlannedTable[];
  /** Foreign keys of the plan's tables to rows that are deleted. */
  readonly references: readonly PlannedReference[];
  /** Whether a foreign key with RESTRICT refers to a table that rows are deleted from. */
  readonly isRestricted: boolean;
  /** Overwritten columns whose foreign keys refuse another value, in words. */
  readonly referredOverwrites: readonly string[];
  /** References of tables outside the plan that keep rows from being deleted, as "detach" names them. */
  readonly refusing: readonly string[];
}

export interface PlannedTable {
  /** Of the entry: unique in a plan. */
  readonly name: string;
  /** As the catalogue knows it. Entries with the same one have the same columns, key and tenant. */
  readonly table: string;
  readonly sqlName: string;
  /** Behind a SELECT of rows that are not changed, and decide whose others are: they stay as they are until the end. */
  readonly forShare: string;
  /** What statements on it mean, rules say: only plain ones are understood. */
  readonly hasRules: boolean;
  /** The beginning of an UPDATE of the table, in the form that fails if it would break a constraint. */
  readonly update: string;
  /** Rows outside do not exist for this entry. */
  readonly where: readonly PlannedWhere[];
  /** The key, and behind it what children refer to. A KeyRow has their values in this order. */
  readonly columns: readonly ColumnShape[];
  readonly keySize: number;
  /** It has no unique key: its rows are named within one transaction only, and by no intent. */
  readonly isUnnamed: boolean;
  readonly matches: readonly PlannedMatch[];
  /** Compared wherever the table has it; null if it has none, or rows are not told apart so. */
  readonly tenant: ColumnShape | null;
  readonly vias: readonly PlannedVia[];
  readonly action: TableAction;
  /** Of `overwrite`, by column. */
  readonly overwritten: ReadonlyMap<string, ColumnShape>;
  /** Columns that an index or constraint wants to be different in each row, alone or with others. */
  readonly distinct: ReadonlySet<string>;
  /** Of `overwrite`: what foreign keys change along with its columns. */
  readonly followers: readonly Follower[];
  readonly shared: Shared;
  /** Whether one row can be tied to several people: each row is asked then. */
  readonly hasSeveralOwners: boolean;
  readonly whenUnmatched: 'hold' | 'skip';
  /** Foreign keys of the table to itself. */
  readonly selfKeys: readonly SelfKey[];
  /** Only reached by foreign keys: it goes where its parents go. */
  readonly isCascaded: boolean;
}

export interface Follower {
  readonly table: string;
  readonly sqlName: string;
  readonly columns: readonly string[];
  readonly referenced: readonly string[];
  /** As in PlannedReference. */
  readonly rowsIn: readonly string[] | null;
  /** What follows its columns in turn. */
  readonly followers: readonly Follower[];
}

export interface SelfKey extends ComparedColumns {
  readonly onDelete: ReferentialAction;
}

/** What is needed of a reference to compare values by it. */
export type ComparedColumns = Pick<
  PlannedVia,
  'columns' | 'parentColumns' | 'comparisons' | 'joined'
>;

/** Where a value stands, and how it is read. */
export interface MatchedPlace {
  readonly column: ColumnShape;
  /** Inside the column's JSON; null if the column is the value. */
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
  /** The names of its entries that are meant: rows that any of them finds are referred to. */
  readonly entries: readonly string[];
  /** Other entries of that table, whose rows are whose this row is. */
  readonly descending: readonly string[];
  readonly columns: readonly ColumnShape[];
  /** Where in the parent's KeyRow their values are. */
  readonly positions: readonly number[];
  readonly parentColumns: readonly ColumnShape[];
  /** How each column is compared with the parent's. */
  readonly comparisons: readonly Comparison[];
  readonly uniqueness: Uniqueness;
  /** Both tables have a tenant column: it is a part of the reference where the others do not name one row. */
  readonly comparesTenant: boolean;
  /** The parent's rows are of all tenants: which of its children are ours, their own tenant says. */
  readonly isOfAllTenants?: boolean;
  /** The parent's rows refer to this table's, by its key: an address that users have, a household. */
  readonly isReverse: boolean;
  /** The database itself holds it to be a reference: what it takes for equal is equal. */
  readonly isForeignKey: boolean;
  /** By a foreign key of either of the tables, values that are written differently are known to be one. */
  readonly isTakenForEqual: boolean;
  /** Where it is compared by the foreign key alone. */
  readonly joined: JoinedTables | null;
  /** Of a family of tables that inherit, it refers to rows of this one alone. */
  readonly only: OneOfFamily | null;
}

/** A foreign key whose two sides differ in type or collation: only the database can say what it takes for equal. */
export interface JoinedTables {
  readonly parent: string;
  readonly child: string;
  /** In the order of the columns. */
  readonly operators: readonly (ForeignOperator | undefined)[];
  /** The foreign key is the parent's: a household that its members name. */
  readonly isReversed: boolean;
}

export interface OneOfFamily {
  readonly tableoid: string;
  readonly column: ColumnShape;
  /** Where in the parent's KeyRow it is. */
  readonly position: number;
}

/**
 * Whether the parent's columns name one row: by themselves, only together with the tenant column that
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
  /** Of a family of tables that inherit, it refers to rows of this one alone. */
  readonly only: OneOfFamily | null;
  /** Where it does not hold for all rows of the table: the tableoids of those for which it does. */
  readonly rowsIn: readonly string[] | null;
  readonly onDelete: ReferentialAction;
  /** Every row that refers is found by the plan, as one that goes too. */
  readonly isFoundByVia: boolean;
  /** How it comes to be NULL in rows that stay; null if that is not allowed. */
  readonly detachedBy: 'database' | 'update' | null;
  /** Listed by its table, under "cascades", and not by a column. */
  readonly isListed: boolean;
  /** Where its parent goes first, how the rows that go too let go of it. */
  readonly release: Release | null;
  /** Set to NULL by statements of ours. */
  readonly nulled: readonly ColumnShape[];
  /** Set by the foreign key itself, where it sets any. */
  readonly setColumns: readonly string[];
  /** What changes in rows that stay. */
  readonly detached: readonly ColumnShape[];
  /** What foreign keys change along with it. */
  readonly followers: readonly Follower[];
}

/** What is read of a table whose rows refer to others, whichever entries it has; it need not be declared. */
export interface ReferringTable
  extends Pick<
    PlannedTable,
    'name' | 'sqlName' | 'update' | 'columns' | 'keySize' | 'isUnnamed' | 'tenant' | 'vias'
  > {
  /** Columns that would get another value with any update. */
  readonly renewed: readonly ColumnShape[];
}
