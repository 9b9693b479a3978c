// Writes files so that they survive a power cut, complete.
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/** Readable only by its owner. `wx`: fails if the file exists. */
export function writeSynced(path: string, text: string, flag: 'w' | 'wx' | 'a'): void {
  const file = openSync(path, flag, 0o600);
  try {
    // All of it: a single write may end early where the disk is almost full.
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Syncs the folder, so that new file names survive too. Windows does this automatically, and cannot open a
 * folder.
 */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
