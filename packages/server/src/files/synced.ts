// Files that are there, whole, after a power cut.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** `wx`: refuses to write over one that is there. For its owner alone. */
export function writeSynced(path: string, text: string, flag: 'w' | 'wx' | 'a'): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** So that names in it survive, too. Windows does this by itself, and cannot open a folder. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
