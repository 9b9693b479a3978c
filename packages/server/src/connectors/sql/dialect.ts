// Where PostgreSQL, MySQL and SQLite differ: how a statement is written, never what it decides. Statements
// find candidates (at least the rows that are meant); what is meant is decided on their texts, so that no
// collation, padding or coercion of a database can decide it.
import type { KeyRow } from '../../domain/target/connector.ts';
import type { JsonPath } from '../../domain/target/json-path.ts';
import type { NumberText } from './canonical-value.ts';
import type { Catalogue, ColumnShape, ForeignOperator, TableShape } from './catalogue.ts';
import type { Comparison } from './plan/compare-columns.ts';
import type { PlannedMatch } from './plan/plan.ts';
import type { SqlSession, SqlValue } from './session.ts';
import { splitTableName } from './table-name.ts';

/** Notes a value to be bound, and answers its placeholder. */
export type Bind = (value: SqlValue) => string;

export interface Selected {
  readonly sql: string | ((bind: Bind) => string);
  readonly name: string;
  /** Its text is never empty and never has a comma. */
  readonly isPlain: boolean;
}

/** Two columns of a foreign key. */
export interface ForeignPair {
  readonly column: ColumnShape;
  readonly parentColumn: ColumnShape;
  readonly operator: ForeignOperator | undefined;
}

export interface Schema {
  readonly catalogue: Catalogue;
  /** `table.column` where the operator has an index on the column in lower case. */
  readonly lowerIndexed: ReadonlySet<string>;
}

export interface SqlDialect {
  quote(name: string): string;
  /** Of the n-th value, counted from 1. */
  placeholder(position: number): string;
  /** Of a named parameter in hand-written SQL, which is text wherever it can be said. */
  namedPlaceholder(position: number): string;
  /** In one statement. */
  readonly maxValues: number;
  /**
   * The same statement, answering one row with everything, where the driver is slow with many rows
   * (measured on PostgreSQL: 5000 rows took twice as long). Null where it is not.
   */
  readonly pack: ((sql: string, select: readonly Selected[]) => string) | null;
  /** Whether DELETE answers the rows that it deleted. */
  readonly deleteReturns: boolean;
  /**
   * Behind a SELECT of a transaction that erases: the rows stay as they were read until its end. Empty
   * where the kind of the transaction sees to that.
   */
  readonly forUpdate: string;
  /** The same, for rows that are only looked at; only where the account may lock them (PlannedTable). */
  readonly forShare: string;
  /** Whether a procedure that is called can end the transaction. */
  readonly proceduresCommit: boolean;
  readSchema(session: SqlSession, tables: readonly string[]): Promise<Schema>;
  /**
   * Of everything in the catalogue that readSchema could tell of these tables: cheaper to read, and the
   * same as long as nothing has changed. Null where reading the schema is cheap.
   */
  readonly readFingerprint:
    | ((session: SqlSession, tables: readonly string[]) => Promise<string>)
    | null;
  /** As a text that names the value exactly, and can be bound again. */
  readKey(column: ColumnShape): string;
  /** As a text that an identity can equal. */
  readText(column: ColumnShape): string;
  /** Whether a column can hold exactly this text, as readKey or readText gives it. */
  canHoldKey(column: ColumnShape, text: string): boolean;
  canHoldText(column: ColumnShape, text: string): boolean;
  /** The text of a key without what readKey puts before it. */
  plainKey(key: string): string;
  /** A text as this database would take it for a number. */
  readNumber(text: string): NumberText | undefined;
  amongKeys(columns: readonly ColumnShape[], rows: readonly KeyRow[], bind: Bind): string;
  /** At least the rows that are equal to one of these texts (canonical ones) under the comparison. */
  amongLoosely(
    column: ColumnShape,
    comparison: Exclude<Comparison, 'exact' | 'foreign'>,
    texts: readonly string[],
    bind: Bind,
    /** The other side's. */
    other: ColumnShape,
  ): string;
  /** True where a foreign key takes the child's value for the parent's: both written out. */
  refersTo(parent: string, child: string, operator: ForeignOperator | undefined): string;
  /** The parents that a foreign key takes these texts of its child for. */
  amongForeign(pairs: readonly ForeignPair[], references: readonly KeyRow[], bind: Bind): string;
  amongTexts(column: ColumnShape, texts: readonly string[], bind: Bind): string;
  /** `emails`: with ASCII letters folded. */
  amongFolded(
    column: ColumnShape,
    emails: readonly string[],
    bind: Bind,
    isLowerIndexed: boolean,
  ): string;
  /** At least the rows with one of these texts inside JSON, or with blanks around it. */
  amongMatched(
    match: Pick<PlannedMatch, 'type' | 'column' | 'path' | 'trim'>,
    texts: readonly string[],
    bind: Bind,
  ): string;
  /** The whole text of a JSON document: what it says is read here, alike for all databases. */
  readDocument(column: ColumnShape): string;
  /** True where a document cannot be read; null where the column holds no such. */
  isUnreadable(column: ColumnShape): string | null;
  /**
   * True at least where `amongMatched` may miss what stands at the path: in a document that cannot be read, or
   * where a name of the path is there twice or written by escapes. Null where the column holds no such.
   */
  mayMiss(column: ColumnShape, path: JsonPath, bind: Bind): string | null;
  /** True where a text stands on the way of the path, which may hold JSON itself. */
  hasTextOnWay(column: ColumnShape, path: JsonPath, bind: Bind): string;
  /** True where the column holds exactly this value; null means NULL. */
  equals(column: ColumnShape, value: string | number | boolean | null, bind: Bind): string;
  /**
   * A constant in the form in which it is bound for the column, to be written or compared: one text or number
   * for each type.
   */
  assigned(column: ColumnShape, value: string | number | boolean | null): SqlValue;
  /**
   * What has changed in this transaction by whatever means, by table; under OTHER_TABLES what cannot be told
   * apart. Null where the database does not tell.
   */
  readonly changesSoFar:
    | ((session: SqlSession, tables: readonly string[]) => Promise<ChangesByTable>)
    | null;
  /**
   * Rows that are there and were inserted or updated by this transaction, each counted once: a look at the whole table.
   * Undefined where the account may not look. Null where `changesSoFar` tells, or nothing does.
   */
  readonly countWritten:
    | ((session: SqlSession, table: string) => Promise<number | undefined>)
    | null;
  /** Whether foreign keys that act are asked about before they run, whatever is counted afterwards. */
  readonly asksBeforeAll: boolean;
  /** Lets foreign keys be checked at the end: all of them, or those declared so. Null where none can be. */
  readonly defer: { readonly sql: string; readonly isForAll: boolean } | null;
  /** Whether a statement deletes rows that refer to each other in a circle, and counts them all. */
  readonly deletesCircles: boolean;
  /** Run before the changes are counted: what would otherwise happen at the end of the transaction. */
  readonly beforeCounting: string | null;
  /** A copy that may lag behind, or a server that cannot be written. */
  isStandby(session: SqlSession): Promise<boolean>;
}

export type ChangesByTable = ReadonlyMap<string, TableChanges>;

export interface TableChanges {
  /** Rows inserted, updated and deleted; one that was changed twice counts twice. */
  readonly changes: number;
  /** Where the database tells more of it. */
  readonly rows?: {
    readonly inserted: number;
    readonly deleted: number;
    /** Updated or deleted, each counted once; undefined where only `countWritten` tells. */
    readonly touched: number | undefined;
  };
  /** Rows that came into partitions: out of others, where no trigger inserts any. */
  readonly arrived?: number;
}

export const OTHER_TABLES = '*';

export function quoteTable(dialect: SqlDialect, table: string): string {
  const { schema, name } = splitTableName(table);
  return schema === null ? dialect.quote(name) : `${dialect.quote(schema)}.${dialect.quote(name)}`;
}

/**
 * Said in the statement, it overrides what the constraints say. It overrides what triggers say too, so it is not
 * said of other tables.
 */
export function updateOf(
  dialect: SqlDialect,
  { table, resolvesConflicts }: Pick<TableShape, 'table' | 'resolvesConflicts'>,
): string {
  return `UPDATE ${resolvesConflicts === true ? 'OR ABORT ' : ''}${quoteTable(dialect, table)}`;
}
