// Rewrites the file without deleted data. secure_delete overwrites deleted rows in place, but not copies that
// SQLite left in the unused part of pages when it moved rows between them: about one in thousands.
import type { DatabaseSync } from 'node:sqlite';

/** Others may read and write in the meantime; they wait for the end of each step. */
export function compact(database: DatabaseSync): void {
  database.exec('VACUUM');
  // The old pages are still in the file until the log is copied into it and cut.
  const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  if (row?.busy !== 0) throw new CompactBusy('the file could not be written at once');
}

/** A reader is in the way: deleted data may still be in the write-ahead log. */
export class CompactBusy extends Error {
  override readonly name = 'CompactBusy';
}
