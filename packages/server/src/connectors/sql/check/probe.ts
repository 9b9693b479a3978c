// The parts of the check that differ between databases.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { MatchedPlace } from '../plan/plan.ts';
import type { SqlRow, SqlValue, TransactionKind } from '../session.ts';

/** What the plan does with a table, for which it needs rights. */
export interface Need {
  readonly table: string;
  readonly read: readonly string[];
  readonly isDeleted: boolean;
  /** Changed in any way, also by a foreign key. */
  readonly isChanged: boolean;
  readonly written: readonly string[];
  /**
   * A column to be granted if rows of the table decide whose other rows are, are not changed themselves,
   * and should be locked.
   */
  readonly lockedBy?: string | undefined;
}

/** A search of the preview by some columns of a table. */
export interface Lookup {
  readonly table: string;
  readonly columns: readonly ColumnShape[];
  /** Compared ignoring the case of ASCII letters. */
  readonly isCaseIgnored: boolean;
  /** The tenant column, compared as well; null if there is none. */
  readonly tenant: string | null;
  /** Columns of `where`, compared as well: an index may start with them. */
  readonly besides: readonly string[];
  /** Set if the search is for a value inside JSON, or without blanks around it. */
  readonly place?: MatchedPlace;
}

export interface CheckConstraint {
  readonly name: string;
  readonly expression: string;
}

export interface Probe {
  /** Which server and account answered, and whether it can be written to. */
  server(read: Read): Promise<CheckLine[]>;
  /** Names that are not tables, with what they are: `a view`, `a foreign table`. */
  otherKinds(read: Read, tables: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Properties of these tables that prevent erasing. */
  tables(read: Read, tables: readonly string[]): Promise<CheckLine[]>;
  /**
   * Tables that cannot be erased from safely, among those that these words of hand-written statements may
   * mean. A word too many does no harm.
   */
  named(read: Read, words: readonly string[]): Promise<CheckLine[]>;
  /**
   * Rights that the account lacks, and rights that it does not need. `triggered`: tables that listed
   * triggers may write to; their own triggers must be visible then.
   */
  rights(read: Read, needs: readonly Need[], triggered: readonly string[]): Promise<CheckLine[]>;
  /** CHECK constraints of a table. */
  constraints(read: Read, table: string): Promise<readonly CheckConstraint[]>;
  /**
   * Whether the column's character set lacks a character of the text; missing if the database has only one
   * set.
   */
  lacks?(read: Read, column: ColumnShape, text: string): Promise<boolean>;
  /** Whether the column's type can hold the value; missing if EXPLAIN shows it, or any value fits. */
  takes?(read: Read, column: ColumnShape, value: SqlValue): Promise<boolean>;
  /** A form of a text that is equal only for exactly the same characters. */
  toTheLetter(text: string): string;
  /** The codes of the first and the last character of a text. */
  endCodes(text: string): { readonly first: string; readonly last: string };
  /** A bound value with the type of the column. */
  typed(column: ColumnShape, placeholder: string): string;
  /** Prefix that makes the database explain a statement and not run it. */
  readonly explain: string;
  /** EXPLAIN refuses a value that does not fit the type of its column. */
  readonly explainsValues: boolean;
  /** MySQL refuses to explain a change that it would refuse to make. */
  readonly explainsChangesIn: TransactionKind;
  /** Run first, so that the plan shows whether an index can be used, not whether it is worthwhile today. */
  readonly preferIndexes: string | null;
  /**
   * Whether the tenant is part of the explained statement: not if the planner would then use the tenant's
   * own index.
   */
  readonly asksWithTenant: boolean;
  /** Whether the plan finds the rows by an index on the columns of the lookup. */
  usesIndex(read: Read, lookup: Lookup, plan: readonly SqlRow[]): Promise<boolean>;
  /** The statement that creates the missing index. */
  adviseIndex(lookup: Lookup): string;
}

/**
 * Runs one statement in its own transaction, so that a failure does not affect others. Read-only unless
 * specified otherwise.
 */
export type Read = (
  sql: string,
  values?: readonly SqlValue[],
  kind?: TransactionKind,
) => Promise<readonly SqlRow[]>;
