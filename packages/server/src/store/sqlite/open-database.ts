import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The command line and the server write in short transactions; neither waits longer than this. */
export const BUSY_TIMEOUT_MS = 5000;

export type Access = 'read' | 'write';

export function openDatabase(path: string, access: Access): DatabaseSync {
  const made = access === 'write' && !existsSync(path);
  const database = new DatabaseSync(path, {
    timeout: BUSY_TIMEOUT_MS,
    readOnly: access === 'read',
  });
  if (made) chmodSync(path, 0o600);
  // 32 MiB: with the default of 2 MiB the index of ids is read from the operating system again and again.
  database.exec('PRAGMA cache_size = -32768');
  if (access === 'write') {
    // FULL: a commit returns after the WAL is synced to disk. secure_delete: deleted keys are overwritten,
    // not left in free pages. wal_autocheckpoint: a fallback for checkpointer.ts.
    useWriteAheadLog(database);
    database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA foreign_keys = ON;
      PRAGMA wal_autocheckpoint = 20000;
    `);
  }
  return database;
}

const SQLITE_BUSY = 5;
const RETRY_MS = 20;

/** If several processes create the store at once, SQLite refuses all but one without waiting. */
function useWriteAheadLog(database: DatabaseSync): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      rest(RETRY_MS);
    }
  }
}

/** Whether another connection has the lock. */
export function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return (errcode & 0xff) === SQLITE_BUSY;
}

/** Blocks this thread. */
export function rest(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
