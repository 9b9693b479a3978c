// What a plan and its check have to know about a database, besides how its statements are written. Each dialect
// states it, so that another database cannot get the rules of one of these by default.
import type { ColumnKind, ColumnShape, ForeignKey } from './catalogue.ts';

/** What the declared type of a column says about its values. */
export type Typing =
  | {
      /** A column holds only values of its type. */
      readonly isByColumn: true;
      /** A generated column with the same bytes in hexadecimal digits, which the application need not know. */
      readonly hexColumn: {
        /** `bytes`: how many the column holds at most. */
        add(table: string, name: string, bytes: number): string;
        readonly letters: 'capital' | 'small';
      };
    }
  /** Each value has its own type, regardless of the declared type: so any column may hold a text. */
  | { readonly isByColumn: false };

/** How `readText` spells values of types with several spellings. */
export interface Spelling {
  readonly truth: { readonly true: string; readonly false: string };
  /** The type `bit`: as a number, or otherwise as a row of digits. */
  readonly isBitNumber: boolean;
}

export interface JsonRules {
  /** Columns that may hold documents without being of a JSON type. */
  readonly otherKinds: readonly ColumnKind[];
  /** The statement that makes a text column one of JSON, if texts are not among `otherKinds`. */
  readonly fromText: ((table: string, column: string) => string) | null;
  /** A column's type ensures that all its documents can be parsed. */
  readonly isEnsured: boolean;
  /** A column that was declared as JSON may be a text with CHECK (json_valid(column)). */
  readonly isCheckedText: boolean;
}

export interface ForeignKeyRules {
  /** ON DELETE SET NULL finds all rows whose value the key itself treats as equal to the parent's. */
  readonly nullsAllEqual: boolean;
  /** With these actions a row cannot be deleted while it refers to itself, alone or in a circle. */
  readonly circlesStayOn: readonly ForeignKey['onDelete'][];
  /** Tells for which values of the parent the key means other rows than statements show; null if for none. */
  isMisleading(parent: ColumnShape, child: ColumnShape): ((text: string) => boolean) | null;
}

/** Statements that only the draft of a plan needs. */
export interface DraftSql {
  /**
   * Gives the `name` of each table that holds rows of its own. Partitions and inheriting tables are found with
   * their parents; tables of extensions are left out.
   */
  readonly tables: string;
  /**
   * Gives the `name`, `kind` ("table", "materialized view"), `column` and `type` of everything that holds rows of its
   * own and that the account sees.
   */
  readonly columns: string;
  /** Gives the `name` of each table with a column that the database numbers by itself, and that column: `numbered`. */
  readonly numberedColumns: string;
}
