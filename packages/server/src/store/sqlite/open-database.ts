import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The command line and the server write in short transactions; neither waits longer than this. */
const BUSY_TIMEOUT_MS = 5000;

export type Access = 'read' | 'write';

export function openDatabase(path: string, access: Access): DatabaseSync {
  const made = access === 'write' && !existsSync(path);
  const database = new DatabaseSync(path, {
    timeout: BUSY_TIMEOUT_MS,
    readOnly: access === 'read',
  });
  if (made) chmodSync(path, 0o600);
  if (access === 'write') {
    // FULL: a commit returns after the WAL is synced to disk. secure_delete: deleted keys are
    // overwritten, not left in free pages. cache_size: 32 MiB keep the index of ids from being read
    // again for every insert.
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 1000;
    `);
  }
  return database;
}
