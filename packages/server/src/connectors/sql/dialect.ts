// Where PostgreSQL, MySQL and SQLite differ: how a statement is written, never what it decides. Statements find
// candidates (at least the rows that match); our code compares their values as text, so that no collation,
// padding or coercion of a database decides. What else a plan has to know about a database is in dialect-rules.ts.
import type { KeyRow } from '../../domain/target/connector.ts';
import type { JsonPath } from '../../domain/target/json-path.ts';
import type { NumberText } from './canonical-value.ts';
import type { Catalogue, ColumnShape, ForeignOperator, TableShape } from './catalogue.ts';
import type { DraftSql, ForeignKeyRules, JsonRules, Spelling, Typing } from './dialect-rules.ts';
import type { Comparison } from './plan/compare-columns.ts';
import type { PlannedMatch } from './plan/plan.ts';
import type { SqlSession, SqlValue } from './session.ts';
import { splitTableName } from './table-name.ts';
import type { NamedTransactions } from './transactions/named-transactions.ts';

/** Records a value to be bound, and returns its placeholder. */
export type Bind = (value: SqlValue) => string;

export interface Selected {
  readonly sql: string | ((bind: Bind) => string);
  readonly name: string;
  /** Its text is never empty and never contains a comma. */
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
  /** `table.column` if there is an index on the column in lower case. */
  readonly lowerIndexed: ReadonlySet<string>;
}

export interface SqlDialect {
  quote(name: string): string;
  /** The placeholder of the n-th value, counted from 1. */
  placeholder(position: number): string;
  /** The placeholder of a named parameter in hand-written SQL, typed as text if the database allows it. */
  namedPlaceholder(position: number): string;
  /** Maximum number of values in one statement. */
  readonly maxValues: number;
  /**
   * The same statement, but returning one row with everything, if the driver is slow with many rows
   * (measured on PostgreSQL: 5000 rows took twice as long). Otherwise null.
   */
  readonly pack: ((sql: string, select: readonly Selected[]) => string) | null;
  /** Whether DELETE returns the rows that it deleted. */
  readonly deleteReturns: boolean;
  /**
   * Appended to a SELECT of a transaction that erases: the rows must not change until its end. Empty if the
   * isolation level ensures that.
   */
  readonly forUpdate: string;
  /** The same for rows that are only read; use it only if the account may lock them (PlannedTable). */
  readonly forShare: string;
  /** Whether a procedure that is called can end the transaction. */
  readonly proceduresCommit: boolean;
  /**
   * Settings of the connection that decide which tables and rows a statement means, and that functions can change.
   * Null if there are none.
   */
  readonly readSettings: ((session: SqlSession) => Promise<ReadonlyMap<string, string>>) | null;
  /** The schemas in which names without one are looked for; null where the address decides it. */
  readonly readSearchPath: ((session: SqlSession) => Promise<string>) | null;
  /** `leads`: read as well, may be views, and are not followed to tables that their foreign keys reach. */
  readSchema(
    session: SqlSession,
    tables: readonly string[],
    leads?: readonly string[],
  ): Promise<Schema>;
  /**
   * A fingerprint of everything in the catalogue that readSchema returns for these tables: cheaper to read,
   * and the same as long as nothing has changed. Null if reading the schema is cheap.
   */
  readonly readFingerprint:
    | ((session: SqlSession, tables: readonly string[]) => Promise<string>)
    | null;
  /** Reads the value as a text that identifies it exactly, and can be bound again. */
  readKey(column: ColumnShape): string;
  /** Reads the value as a text that an identity can equal. */
  readText(column: ColumnShape): string;
  /** Whether a column can hold exactly this text, in the form of readKey or readText. */
  canHoldKey(column: ColumnShape, text: string): boolean;
  canHoldText(column: ColumnShape, text: string): boolean;
  /** The text of a key without the prefix of readKey. */
  plainKey(key: string): string;
  /** The key, with that prefix, of a text that has the declared type of the column. */
  prefixedKey(column: ColumnShape, text: string): string;
  /** The number that this database would read from a text. */
  readNumber(text: string): NumberText | undefined;
  amongKeys(columns: readonly ColumnShape[], rows: readonly KeyRow[], bind: Bind): string;
  /** Finds at least the rows that equal one of these canonical texts under the comparison. */
  amongLoosely(
    column: ColumnShape,
    comparison: Exclude<Comparison, 'exact' | 'foreign'>,
    texts: readonly string[],
    bind: Bind,
    /** The column of the other side. */
    other: ColumnShape,
  ): string;
  /** True if a foreign key treats the child's value as equal to the parent's; both are expressions. */
  refersTo(parent: string, child: string, operator: ForeignOperator | undefined): string;
  /** The parents that a foreign key treats as equal to these texts of its child. */
  amongForeign(pairs: readonly ForeignPair[], references: readonly KeyRow[], bind: Bind): string;
  amongTexts(column: ColumnShape, texts: readonly string[], bind: Bind): string;
  /** `emails`: with ASCII letters in lower case. */
  amongFolded(
    column: ColumnShape,
    emails: readonly string[],
    bind: Bind,
    isLowerIndexed: boolean,
  ): string;
  /** Finds at least the rows with one of these texts inside JSON, or with blanks around it. */
  amongMatched(
    match: Pick<PlannedMatch, 'type' | 'column' | 'path' | 'trim'>,
    texts: readonly string[],
    bind: Bind,
  ): string;
  /** The whole text of a JSON document: it is parsed here, in the same way for all databases. */
  readDocument(column: ColumnShape): string;
  /** True if a document cannot be parsed; null if the column cannot contain such documents. */
  isUnreadable(column: ColumnShape): string | null;
  /**
   * True at least if `amongMatched` may miss the value at the path: in a document that cannot be parsed, or
   * if a name of the path occurs twice or is written with escapes. Null if the column cannot contain such
   * documents.
   */
  mayMiss(column: ColumnShape, path: JsonPath, bind: Bind): string | null;
  /** True if there is a text on the path, which may itself contain JSON. */
  hasTextOnWay(column: ColumnShape, path: JsonPath, bind: Bind): string;
  /** True if the column has exactly this value; null means NULL. */
  equals(column: ColumnShape, value: string | number | boolean | null, bind: Bind): string;
  /**
   * A constant in the form in which it is bound for the column, to be written or compared: one text or
   * number for each type.
   */
  assigned(column: ColumnShape, value: string | number | boolean | null): SqlValue;
  /**
   * What has changed in this transaction by any means, by table; changes that cannot be attributed are
   * under OTHER_TABLES. Null if the database does not report it.
   */
  readonly changesSoFar:
    | ((session: SqlSession, tables: readonly string[]) => Promise<ChangesByTable>)
    | null;
  /**
   * How many rows it has changed by any means, where the database tells only their sum. Null if `changesSoFar` tells
   * them by table.
   */
  readonly measure: {
    rows(session: SqlSession): Promise<number>;
    /** What statements, those of triggers included, have done to rows so far. */
    statements(session: SqlSession): Promise<Measured>;
  } | null;
  /**
   * All tables that there are for this transaction, regardless of their owner, each with the name of `tables` that
   * means it, or its own. Null if a trigger cannot drop a table.
   */
  readonly tablesThere:
    | ((session: SqlSession, tables: readonly string[]) => Promise<ReadonlyMap<string, string>>)
    | null;
  /**
   * The number of rows that were inserted or updated by this transaction, each counted once. This reads the
   * whole table. Undefined if the account may not read it. Null if `changesSoFar` reports it, or nothing
   * does.
   */
  readonly countWritten:
    | ((session: SqlSession, table: string) => Promise<number | undefined>)
    | null;
  /**
   * Whether the effects of foreign keys are read before they run, even if changes are counted afterwards.
   */
  readonly asksBeforeAll: boolean;
  /**
   * Defers the checks of foreign keys to the end: of all keys, or of those declared deferrable. Null if
   * none can be deferred.
   */
  readonly defer: { readonly sql: string; readonly isForAll: boolean } | null;
  /** Whether one statement can delete rows that refer to each other in a circle, and counts all of them. */
  readonly deletesCircles: boolean;
  /**
   * Run before the changes are counted: triggers what would otherwise happen at the end of the transaction.
   */
  readonly beforeCounting: string | null;
  readonly transactions: NamedTransactions;
  readonly typing: Typing;
  readonly spelling: Spelling;
  readonly json: JsonRules;
  readonly foreignKeys: ForeignKeyRules;
  readonly draftSql: DraftSql;
  /** An account sees only the columns on which it has rights. */
  readonly hidesColumns: boolean;
  /** The server is a replica that may lag behind, or is read-only. */
  isStandby(session: SqlSession): Promise<boolean>;
}

export type ChangesByTable = ReadonlyMap<string, TableChanges>;

export interface TableChanges {
  /** Rows inserted, updated and deleted; a row that was changed twice counts twice. */
  readonly changes: number;
  /** False where more may have changed than could be counted. */
  readonly isCounted?: false;
  /** Details, if the database reports them. */
  readonly rows?: {
    readonly inserted: number;
    readonly deleted: number;
    /** Rows updated or deleted, each counted once; undefined if only `countWritten` reports it. */
    readonly touched: number | undefined;
  };
  /** Rows that were added to partitions: moved from others, unless a trigger inserts some. */
  readonly arrived?: number;
}

/** Rows that statements have tried to insert, update and delete; foreign keys may count too. */
export interface Measured {
  readonly written: number;
  readonly updated: number;
  readonly deleted: number;
}

export const OTHER_TABLES = '*';

export function quoteTable(dialect: SqlDialect, table: string): string {
  const { schema, name } = splitTableName(table);
  return schema === null ? dialect.quote(name) : `${dialect.quote(schema)}.${dialect.quote(name)}`;
}

/**
 * A conflict clause in the statement overrides those of the constraints. It also overrides those of
 * triggers, so it is not used for other tables.
 */
export function updateOf(
  dialect: SqlDialect,
  { table, resolvesConflicts }: Pick<TableShape, 'table' | 'resolvesConflicts'>,
): string {
  return `UPDATE ${resolvesConflicts === true ? 'OR ABORT ' : ''}${quoteTable(dialect, table)}`;
}
