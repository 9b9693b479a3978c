import type { SqlResult, SqlValue } from '../sql/session.ts';

export interface SqliteOptions {
  readonly path: string;
  readonly busyTimeout: number;
}

export interface SqliteQuery {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A transaction that writes, in which changes are counted. */
export interface SqliteBegin {
  readonly begin: 'write';
}

export type SqliteMessage = SqliteOptions | SqliteQuery | SqliteBegin;

/**
 * One answer a message, in order. `errcode`: SQLite's own extended code, -1 where it has none. `constraint`: what
 * the schema says of it.
 */
export type SqliteAnswer =
  | SqlResult
  | {
      readonly errcode: number;
      readonly constraint?: string;
      /** What the statement, or what it runs, names and the database does not have: `function REGEXP`. */
      readonly missing?: string;
      /** The statement was accepted, and failed while it ran: on a value. */
      readonly isOfValue?: boolean;
    };
