// Only one server may use a data folder, because throttles and batches are kept in its memory. The lock is
// SQLite's own, so it is released when the process ends, in whatever way.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const WAIT_FOR_PREDECESSOR_MS = 3000;
const SQLITE_BUSY = 5;

export interface ServeLock {
  release(): void;
}

/** undefined where another server has the folder. */
export function takeServeLock(
  dataDir: string,
  waitMs = WAIT_FOR_PREDECESSOR_MS,
): ServeLock | undefined {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'serve.lock');
  // Mode 0600: another user who could read the file could lock it, and keep the server from starting.
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: waitMs });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
