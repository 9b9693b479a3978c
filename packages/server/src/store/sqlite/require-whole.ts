// A restored file beside the write-ahead log of the previous file: SQLite joins the two without an error, and mixes
// their pages.
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { openDatabase } from './open-database.ts';

/** Checkpoints follow the writes to the log within two seconds: after a crash, the whole file must not be read for them. */
const LONGEST_CHECKPOINT_MS = 10_000;

/**
 * Checks a file that was changed long after the log beside it, because another program may have put it there. Called
 * before the file is opened for writing: that joins the two permanently.
 */
export function refuseMixed(databasePath: string): void {
  const log = statSync(`${databasePath}-wal`, { throwIfNoEntry: false });
  const file = statSync(databasePath, { throwIfNoEntry: false });
  if (log === undefined || file === undefined || log.size === 0) return;
  const later = Math.max(file.mtimeMs - log.mtimeMs, file.ctimeMs - log.ctimeMs);
  if (later > LONGEST_CHECKPOINT_MS) requireWhole(databasePath);
}

/** The newest head keeps its rows. If they are missing, a program that opened the file before may have mixed it. */
export function requireNewestRows(databasePath: string, reader: DatabaseSync): void {
  const row = reader
    .prepare(`SELECT last_audit_no > coalesce((SELECT max(audit_no) FROM audit_rows), 0) AS lacks
              FROM audit_heads ORDER BY head_no DESC LIMIT 1`)
    .get() as { lacks: number } | undefined;
  if (row?.lacks === 1) requireWhole(databasePath);
}

/**
 * Whether the file was replaced or deleted, for example by a restore under the running server, which then writes to a
 * file that no other process can open.
 */
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
