import type { DatabaseSync } from 'node:sqlite';
import { BUSY_TIMEOUT_MS, isBusy, rest } from './open-database.ts';

const LOOK_MS = 1;

/** IMMEDIATE takes the write lock first, so nothing read inside can be outdated by another transaction. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  return inBegun(database, work);
}

/**
 * For what a caller waits for: takes the write lock in the first moment in which it is free. SQLite itself looks only ten
 * times a second, so a worker or a command that writes one transaction after the other would keep it for seconds.
 */
export function inTransactionSoon<T>(
  database: DatabaseSync,
  work: () => T,
  waitMs = BUSY_TIMEOUT_MS,
): T {
  const deadline = performance.now() + waitMs;
  database.exec('PRAGMA busy_timeout = 0');
  try {
    while (!tryBegin(database, deadline)) rest(LOOK_MS);
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
  return inBegun(database, work);
}

/** Throws when it is too late to try again. */
function tryBegin(database: DatabaseSync, deadline: number): boolean {
  try {
    database.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (!isBusy(error) || performance.now() > deadline) throw error;
    return false;
  }
}

function inBegun<T>(database: DatabaseSync, work: () => T): T {
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
