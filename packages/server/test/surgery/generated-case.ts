// A generated case as plain data: a schema, its rows, configurations, requests, and what happens in each try.
import type { IdentityType } from '@unwrite/protocol';

export const DATABASES = ['sqlite', 'postgres', 'mariadb', 'mysql'] as const;
export type DatabaseName = (typeof DATABASES)[number];

/** Both have InnoDB, and no index on a part of the rows. */
export const isMysqlLike = (database: DatabaseName) =>
  database === 'mariadb' || database === 'mysql';

/** `folded`: text under a collation that takes capitals for small letters. */
export type ColumnType =
  | ('integer' | 'bigint' | 'decimal' | 'text' | 'folded' | 'uuid')
  | ('float' | 'time' | 'json');
export type DeleteAction = 'NO ACTION' | 'RESTRICT' | 'CASCADE' | 'SET NULL' | 'SET DEFAULT';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly notNull: boolean;
}

export interface UniqueIndex {
  readonly columns: readonly string[];
  /** A partial index and one on an expression do not prove that a value is there once. */
  readonly kind: 'plain' | 'partial' | 'expression';
}

export interface Pair {
  readonly child: string;
  readonly parent: string;
}

/** What the application means by a column, with or without a foreign key. */
export interface Reference {
  readonly parent: string;
  readonly pairs: readonly Pair[];
  readonly onDelete: DeleteAction | null;
  /** Never in a configuration: a self reference, or one that closes a circle. */
  readonly isAside: boolean;
  /** What it leads to has the tenant of the rows. Then it may also be aside. */
  readonly isTenant?: true;
  /** Only rows with this value in this column refer to this parent. */
  readonly onlyWhere?: { readonly column: string; readonly value: string };
}

export interface Trigger {
  readonly name: string;
  /** Run for each row that is deleted from the table. */
  readonly does: 'nothing' | 'insert' | 'update' | 'delete';
  /** The table that it writes to. */
  readonly to: string;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly unique: readonly UniqueIndex[];
  readonly references: readonly Reference[];
  readonly triggers: readonly Trigger[];
}

/** Values as text. `rid` is in no key and no configuration: it names the row for the test alone. */
export type Row = Readonly<Record<string, string | null>>;
export type Rows = Readonly<Record<string, readonly Row[]>>;

export type Overwritten =
  | (null | string | number)
  | { readonly hash: true }
  | { readonly unique: string }
  | { readonly now: true }
  | { readonly json: Readonly<Record<string, null | string | { readonly remove: true }>> };

export const EACH = '*';

export interface MatchedColumn {
  readonly column: string;
  /** Keys from the document's root on, EACH for all items of a list; null where the column itself is the value. */
  readonly path: readonly string[] | null;
  readonly trim: boolean;
}

export type WhereValue = string | number | null;

/** One of the values, or none of them. */
export interface WhereCondition {
  readonly values: readonly WhereValue[];
  readonly isNot: boolean;
}

export type Where = Readonly<Record<string, WhereCondition>>;

export interface Via {
  readonly parent: string;
  readonly pairs: readonly Pair[];
  /** Of a parent that is listed several times, the entry whose rows are meant. Absent: all. */
  readonly where?: Where;
}

/** One entry of `tables`. A table may have several, which no row is in two of. */
export interface DeclaredTable {
  readonly table: string;
  /** By column. Rows outside do not exist for the entry. */
  readonly where: Where;
  readonly key: readonly string[] | null;
  readonly match: Readonly<Partial<Record<IdentityType, readonly MatchedColumn[]>>>;
  readonly via: readonly Via[];
  readonly action:
    | 'delete'
    | 'retain'
    | { readonly overwrite: Readonly<Record<string, Overwritten>> };
  readonly shared: 'hold' | 'erase' | 'keep';
  readonly whenUnmatched: 'hold' | 'skip';
  /** Its own name of the tenant column, where it has another. */
  readonly tenantColumn: string | null;
  /** `tenant`: whose rows have the tenant, where there is no such column, or it is NULL. */
  readonly tenantBy: readonly Via[];
  /** `tenancy: none` of the table. */
  readonly isOfAllTenants: boolean;
}

/** `resolve`: one identity looked up from another. */
export interface Lookup {
  readonly table: string;
  readonly where: Where;
  readonly from: LookupEnd;
  readonly to: LookupEnd;
}

export interface LookupEnd {
  readonly type: IdentityType;
  readonly column: string;
}

export type DeclaredTenancy =
  | {
      readonly way: 'column';
      readonly column: string;
      readonly values: Readonly<Record<string, string | readonly string[]>>;
    }
  | { readonly way: 'controller'; readonly controllerId: string }
  | { readonly way: 'none' };

export interface Configuration {
  readonly tenancy: DeclaredTenancy;
  /** In the order of erasing. */
  readonly tables: readonly DeclaredTable[];
  /** Only read, for the tenants of others. */
  readonly leads: readonly Pick<DeclaredTable, 'table' | 'tenantColumn' | 'tenantBy'>[];
  readonly cascades: readonly string[];
  /** References in other people's rows that may become NULL: `table.column`. */
  readonly detach: readonly string[];
  readonly triggers: readonly string[];
  readonly mode: 'erase' | 'preview';
  /** Of a request that no table can be asked with. */
  readonly whenUnmatched: 'hold' | 'skip';
  readonly maxRowsPerDay: number | null;
  readonly resolve: Lookup | null;
}

export interface GeneratedRequest {
  readonly controllerId: string;
  readonly identities: readonly GivenIdentity[];
  /** Those of the identities that `resolve` has found: made by the judge, never by the generator. */
  readonly lookedUp?: readonly GivenIdentity[];
  /** Types that it has no identity of that counts: tables are asked by them, and find nothing. */
  readonly askedBy?: readonly IdentityType[];
}

export interface GivenIdentity {
  readonly type: IdentityType;
  readonly value: string;
}

/** A table that the staff may add while a case is played. */
export const LATE = 'late';

/** What the shop's staff does to a row, or to the schema. */
export type Change =
  | { readonly does: 'create'; readonly table: string; readonly made: Table; readonly row: Row }
  | { readonly does: 'insert'; readonly table: string; readonly row: Row }
  | { readonly does: 'update'; readonly table: string; readonly rid: string; readonly values: Row }
  | { readonly does: 'delete'; readonly table: string; readonly rid: string };

export type Interruption =
  | 'none'
  | 'killed after the intent'
  | 'killed before erasing'
  | 'killed after erasing'
  | 'killed after verifying'
  | 'paused after the preview'
  | 'locked';

export interface Try {
  /** Of the case's configurations. */
  readonly configuration: number;
  readonly changesBefore: readonly Change[];
  /** After identities were looked up and before the preview. */
  readonly changesLookedUp: readonly Change[];
  /** After the preview and before the erasing transaction. */
  readonly changesBetween: readonly Change[];
  /** In a transaction that is open while the erasing one begins. */
  readonly changesDuring: readonly Change[];
  /** After the erasing transaction and before the verification. */
  readonly changesAfter: readonly Change[];
  readonly interruption: Interruption;
  /** A person releases what is held before this try. */
  readonly isReleased: boolean;
}

export interface GeneratedCase {
  readonly database: DatabaseName;
  readonly tables: readonly Table[];
  readonly rows: Rows;
  readonly configurations: readonly [Configuration, ...Configuration[]];
  readonly requests: readonly GeneratedRequest[];
  readonly tries: readonly Try[];
}

/** What every try has that nothing happens in. */
export const QUIET = {
  changesBefore: [],
  changesLookedUp: [],
  changesBetween: [],
  changesDuring: [],
  changesAfter: [],
  interruption: 'none',
  isReleased: false,
} as const;
