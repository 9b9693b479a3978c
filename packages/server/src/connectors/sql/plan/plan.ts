// A target's configuration laid over its catalogue: every name is a column that exists, and every way
// from a row to its owner is known.
import type { IdentityType } from '@unwrite/protocol';
import type { Shared, TableAction } from '../../../domain/target.ts';
import type { ColumnShape, ReferentialAction } from '../catalogue.ts';
import type { Comparison } from './compare-columns.ts';
import type { Release } from './erasing-order.ts';

export interface Plan {
  /** Parents before children, as rows are found. */
  readonly tables: readonly PlannedTable[];
  /** Children before parents, as configured, as rows are erased. Without what is retained. */
  readonly erased: readonly PlannedTable[];
  /** Foreign keys of the plan's tables to rows that are deleted. */
  readonly references: readonly PlannedReference[];
  /** Whether a foreign key with RESTRICT refers to a table that rows are deleted from. */
  readonly isRestricted: boolean;
}

export interface PlannedTable {
  readonly name: string;
  readonly sqlName: string;
  /** The key, and behind it what children refer to. A KeyRow has their values in this order. */
  readonly columns: readonly ColumnShape[];
  readonly keySize: number;
  /** It has no unique key: its rows are named within one transaction only, and by no intent. */
  readonly isUnnamed: boolean;
  readonly matches: readonly PlannedMatch[];
  /** Compared wherever the table has it; null where it has none, or rows are not told apart so. */
  readonly tenant: ColumnShape | null;
  readonly vias: readonly PlannedVia[];
  readonly action: TableAction;
  /** Of `overwrite`, by column. */
  readonly overwritten: ReadonlyMap<string, ColumnShape>;
  readonly shared: Shared;
  /** Whether one row can be tied to several people: each row is asked then. */
  readonly hasSeveralOwners: boolean;
  readonly whenUnmatched: 'hold' | 'skip';
  /** Foreign keys of the table to itself. */
  readonly selfKeys: readonly SelfKey[];
  /** Only reached by foreign keys: it goes where its parents go. */
  readonly isCascaded: boolean;
}

export interface SelfKey {
  readonly onDelete: ReferentialAction;
  readonly columns: readonly ColumnShape[];
  readonly referenced: readonly ColumnShape[];
}

export interface PlannedMatch {
  readonly type: IdentityType;
  readonly column: ColumnShape;
  readonly isLowerIndexed: boolean;
}

export interface PlannedVia {
  readonly parent: string;
  readonly columns: readonly ColumnShape[];
  /** Where in the parent's KeyRow their values are. */
  readonly positions: readonly number[];
  readonly parentColumns: readonly ColumnShape[];
  /** How each column is compared with the parent's. */
  readonly comparisons: readonly Comparison[];
  readonly uniqueness: Uniqueness;
  /** The database itself holds it to be a reference: what it takes for equal is equal. */
  readonly isForeignKey: boolean;
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
  readonly columns: readonly ColumnShape[];
  readonly positions: readonly number[];
  readonly parentColumns: readonly ColumnShape[];
  readonly comparisons: readonly Comparison[];
  readonly onDelete: ReferentialAction;
  /** Every row that refers is found by the plan, as one that goes too. */
  readonly isFoundByVia: boolean;
  /** How it comes to be NULL in rows that stay; null where that is not allowed. */
  readonly detachedBy: 'database' | 'update' | null;
  /** Listed by its table, under "cascades": whatever tenant the row names. */
  readonly isListed: boolean;
  /** Where its parent goes first, how the rows that go too let go of it. */
  readonly release: Release | null;
  /** Set to NULL by statements of ours. */
  readonly nulled: readonly ColumnShape[];
}

/** What is read of a table whose rows refer: also of one that is not declared. */
export type ReferringTable = Pick<
  PlannedTable,
  'name' | 'sqlName' | 'columns' | 'keySize' | 'tenant' | 'vias'
>;
