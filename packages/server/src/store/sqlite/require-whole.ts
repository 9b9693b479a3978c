// A restored file beside the write-ahead log of the file before it: SQLite joins the two without a word, and pages of
// both are mixed.
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { openDatabase } from './open-database.ts';

/**
 * Before the file is opened: once it is, the two are joined for good. A file that was changed after the log beside it
 * was checkpointed just before a crash, or was put there by somebody else.
 */
export function refuseMixed(databasePath: string): void {
  const log = statSync(`${databasePath}-wal`, { throwIfNoEntry: false });
  const file = statSync(databasePath, { throwIfNoEntry: false });
  if (log === undefined || file === undefined || log.size === 0) return;
  if (file.mtimeMs > log.mtimeMs || file.ctimeMs > log.ctimeMs) requireWhole(databasePath);
}

/** The newest head keeps its rows: without them the file may be mixed, by a program that has opened it before. */
export function requireNewestRows(databasePath: string, reader: DatabaseSync): void {
  const row = reader
    .prepare(`SELECT last_audit_no > coalesce((SELECT max(audit_no) FROM audit_rows), 0) AS lacks
              FROM audit_heads ORDER BY head_no DESC LIMIT 1`)
    .get() as { lacks: number } | undefined;
  if (row?.lacks === 1) requireWhole(databasePath);
}

/** Whether another file is in its place, or none: a backup was restored under the running server, which writes to a file that nobody can open any more. */
export function createIsReplaced(databasePath: string): () => boolean {
  const inode = () => statSync(databasePath, { bigint: true, throwIfNoEntry: false })?.ino;
  const opened = inode();
  return () => inode() !== opened;
}

/** Reads the whole file, and compares each index with its table. */
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
    const row = database.prepare('PRAGMA integrity_check(1)').get() as {
      integrity_check: string;
    };
    return row.integrity_check === 'ok' ? undefined : row.integrity_check.replaceAll(/\s+/g, ' ');
  } catch (error) {
    return (error as Error).message;
  } finally {
    database.close();
  }
}
