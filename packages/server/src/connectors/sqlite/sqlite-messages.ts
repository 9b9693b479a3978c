import type { SqlResult, SqlValue } from '../sql/session.ts';

export interface SqliteOptions {
  readonly path: string;
  readonly busyTimeout: number;
}

export interface SqliteQuery {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A writing transaction in which changes are counted. */
export interface SqliteBegin {
  readonly begin: 'write';
}

export type SqliteMessage = SqliteOptions | SqliteQuery | SqliteBegin;

/**
 * One answer for each message, in order. `errcode`: SQLite's extended result code, -1 if there is none.
 * `constraint`: its name or columns from the schema.
 */
export type SqliteAnswer =
  | SqlResult
  | {
      readonly errcode: number;
      readonly constraint?: string;
      /**
       * Something that the statement, or a trigger that it fires, names and the database does not have:
       * `function REGEXP`.
       */
      readonly missing?: string;
      /** The statement compiled, but failed while it ran, because of a value. */
      readonly isOfValue?: boolean;
    };
