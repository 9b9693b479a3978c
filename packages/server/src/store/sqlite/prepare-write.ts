import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * For whatever is run. The driver answers the last row number of the connection, and throws where it is beyond 2^53: one row
 * that somebody inserted with such a number would stop all writing.
 */
export function prepareWrite(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}
