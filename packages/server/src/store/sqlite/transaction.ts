import type { DatabaseSync } from 'node:sqlite';

/** IMMEDIATE takes the write lock first, so nothing read inside can be outdated by another transaction. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
