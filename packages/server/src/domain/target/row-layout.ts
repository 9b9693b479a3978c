// Which columns the values that identify rows in an intent belong to: the configuration may have changed when
// the intent is read again.
import type { Overwrite, WhereConfig } from './target.ts';

/** By table: the columns of its KeyRows, and what was to happen to the rows. */
export type KeyLayout = Readonly<Record<string, TableLayout>>;

export interface TableLayout {
  readonly columns: readonly string[];
  /** How many of the columns, from the first on, name the row. */
  readonly keySize: number;
  readonly action: 'delete' | 'overwrite';
  /** Not declared itself: foreign keys lead to it. */
  readonly isCascaded?: true;
  /** The table has no unique key: an intent says how many rows, and not which. */
  readonly isUnnamed?: true;
  /** For tables without a unique key: changes if a new plan finds or keeps other rows. Absent from old intents. */
  readonly foundBy?: string;
  /** For `overwrite`: the new values by column, which show whether a row was overwritten. */
  readonly overwrite?: Readonly<Record<string, Overwrite>>;
  /** Where the table is called otherwise: it is listed several times. */
  readonly table?: string;
  /** What the rows were told from others of the table by. */
  readonly where?: WhereConfig;
  /** Where a column gets the time: which one. In UTC, as `2026-11-15T20:00:00.000Z`. */
  readonly time?: string;
}

/** Rows that stay and lose a reference to rows that go, of a table whose rows have keys. */
export interface DetachedRows {
  readonly table: string;
  /** What the values of the rows are. */
  readonly columns: readonly string[];
  /** Columns that become NULL. */
  readonly nulled: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}
