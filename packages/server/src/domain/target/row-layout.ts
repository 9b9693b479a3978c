// Which columns the values that identify rows in an intent belong to: the configuration may have changed when
// the intent is read again.
import type { Overwrite, WhereConfig } from './target.ts';

/** For each table: the columns of its KeyRows, and what was to happen to the rows. */
export type KeyLayout = Readonly<Record<string, TableLayout>>;

export interface TableLayout {
  readonly columns: readonly string[];
  /** How many of the columns, from the first, identify the row. */
  readonly keySize: number;
  readonly action: 'delete' | 'overwrite' | 'retain';
  /** Rows are found by references that no foreign key enforces: they may stay when the row that led to them goes. */
  readonly isLoose?: true;
  /** Not declared itself: foreign keys lead to the table. */
  readonly isCascaded?: true;
  /** The table has no unique key: an intent says how many rows, not which. */
  readonly isUnnamed?: true;
  /** For `overwrite`: the new values by column, which show whether a row was overwritten. */
  readonly overwrite?: Readonly<Record<string, Overwrite>>;
  /** The table, if the entry has another name because the table is listed several times. */
  readonly table?: string;
  /** The schema in which the table was found; absent where the address decides it. */
  readonly schema?: string;
  /** What distinguished the rows from others of the table. */
  readonly where?: WhereConfig;
  /** The time that was written to a column. UTC, such as `2026-11-15T20:00:00.000Z`. */
  readonly time?: string;
}

/** For hand-written statements. */
export interface SearchedIn {
  /** The schemas in which the names of the statements were looked for, if the server decides that. */
  readonly schemas?: string | undefined;
}

/** Statements may have been run on other tables before: with another account, or another search path. */
export function isSearchedElsewhere(one: SearchedIn, other: SearchedIn): boolean {
  const [before, now] = [one.schemas, other.schemas];
  return before !== undefined && now !== undefined && before !== now;
}

/** A name may lead to another table than before: with another account, or another search path. */
export function isInSameSchema(
  one: Pick<TableLayout, 'schema'> | undefined,
  other: { readonly schema?: string | undefined } | undefined,
): boolean {
  const [before, now] = [one?.schema, other?.schema];
  return before === undefined || now === undefined || before === now;
}

/** Rows that stay and lose a reference to erased rows; for tables whose rows have keys. */
export interface DetachedRows {
  readonly table: string;
  /** Columns that the values of the rows belong to. */
  readonly columns: readonly string[];
  /** Columns that become NULL. */
  readonly nulled: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}
