import type { SqlRow, SqlValue } from '../sql/session.ts';

export interface SqliteOptions {
  readonly path: string;
  readonly busyTimeout: number;
}

export interface SqliteQuery {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** One answer a query, in order. `errcode`: SQLite's own extended code, -1 where it has none. */
export type SqliteAnswer =
  | { readonly rows: readonly SqlRow[]; readonly changes: number }
  | { readonly errcode: number };
