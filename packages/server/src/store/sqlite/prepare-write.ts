import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Use this for every write. The driver returns the last row number of the connection, and throws if it is
 * larger than 2^53: one row inserted with such a number would stop all writing.
 */
export function prepareWrite(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}
