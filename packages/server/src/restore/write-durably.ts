import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { threadId } from 'node:worker_threads';

/**
 * Renamed into place after it was synced: a crash leaves the old one or the new one, whole. Without the sync a
 * power cut may leave an empty file of that name.
 */
export function writeDurably(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.${threadId}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** So that the name is there after a power cut, too. Windows cannot, and does not need it. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
