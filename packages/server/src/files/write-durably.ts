import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { threadId } from 'node:worker_threads';
import { syncFolder, writeSynced } from './synced.ts';

/**
 * Renamed into place after it was synced: a crash leaves the old one or the new one, whole. Without the sync a
 * power cut may leave an empty file of that name.
 */
export function writeDurably(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.${threadId}.new`;
  try {
    writeSynced(temporary, text, 'w');
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}
