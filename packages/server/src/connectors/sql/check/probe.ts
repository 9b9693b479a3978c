// What a check has to ask each database in its own way.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { MatchedPlace } from '../plan/plan.ts';
import type { SqlRow, SqlValue, TransactionKind } from '../session.ts';

/** What the plan does with a table, and so must be allowed to do. */
export interface Need {
  readonly table: string;
  readonly read: readonly string[];
  readonly isDeleted: boolean;
  /** In any way, also by a foreign key. */
  readonly isChanged: boolean;
  readonly written: readonly string[];
  /** A column to be granted where its rows decide whose others are, stay as they are, and should be locked meanwhile. */
  readonly lockedBy?: string | undefined;
}

/** Rows that a preview looks for by some columns of a table. */
export interface Lookup {
  readonly table: string;
  readonly columns: readonly ColumnShape[];
  /** Compared without regard to the case of ASCII letters. */
  readonly isCaseIgnored: boolean;
  /** Told apart by it before all; null where there is none. */
  readonly tenant: string | null;
  /** Compared too, by `where`: an index may begin with them. */
  readonly besides: readonly string[];
  /** Set where a value inside JSON, or without blanks around it, is looked for. */
  readonly place?: MatchedPlace;
}

export interface CheckConstraint {
  readonly name: string;
  readonly expression: string;
}

export interface Probe {
  /** Who and what answered, and whether it can be written. */
  server(read: Read): Promise<CheckLine[]>;
  /** What is called so without being a table: `a view`, `a foreign table`. */
  otherKinds(read: Read, tables: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Peculiarities of these tables that stand in the way. */
  tables(read: Read, tables: readonly string[]): Promise<CheckLine[]>;
  /**
   * Tables among those that these words of hand-written statements may mean, and that cannot be erased from
   * safely. A word too many does no harm.
   */
  named(read: Read, words: readonly string[]): Promise<CheckLine[]>;
  /**
   * What the account may not do but needs, and may do but does not need. `triggered`: tables that listed triggers may
   * write to, whose own triggers have to be seen then.
   */
  rights(read: Read, needs: readonly Need[], triggered: readonly string[]): Promise<CheckLine[]>;
  /** CHECK constraints of a table. */
  constraints(read: Read, table: string): Promise<readonly CheckConstraint[]>;
  /** Whether the column's character set has no code for a character of the text; left out where there is one set. */
  lacks?(read: Read, column: ColumnShape, text: string): Promise<boolean>;
  /** Whether the column's type can hold the value; left out where a statement that is explained tells. */
  takes?(read: Read, column: ColumnShape, value: SqlValue): Promise<boolean>;
  /** A bound value that an expression takes for one of the column's. */
  typed(column: ColumnShape, placeholder: string): string;
  /** In front of a statement: it is explained, and not run. */
  readonly explain: string;
  /** MySQL refuses to explain a change where it would refuse the change. */
  readonly explainsChangesIn: TransactionKind;
  /** Run first, so that the plan tells whether an index can serve, not whether it pays today. */
  readonly preferIndexes: string | null;
  /** Whether the tenant is part of the explained statement: not where it draws the plan to its own index. */
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
