// A restored file beside the write-ahead log of the file before it: SQLite joins the two without a word, and pages of
// both are mixed.
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { openDatabase } from './open-database.ts';

/** Reads the whole file, at some hundred megabytes a second. */
export function requireWhole(databasePath: string): void {
  const problem = findProblem(databasePath);
  if (problem === undefined) return;
  throw new NotPossible(
    `the store ${databasePath} is damaged (${problem}). If a backup was restored, files of the store before it were left: restore ${databasePath} again, remove ${databasePath}-wal and ${databasePath}-shm, then start`,
  );
}

function findProblem(databasePath: string): string | undefined {
  const database = openDatabase(databasePath, 'read');
  try {
    const row = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    return row.quick_check === 'ok' ? undefined : row.quick_check.replaceAll(/\s+/g, ' ');
  } catch (error) {
    return (error as Error).message;
  } finally {
    database.close();
  }
}
