import { existsSync, renameSync } from 'node:fs';

/** Renames an unreadable file or folder of that name. One that was renamed before stays. */
export function setAsideDamaged(path: string): void {
  let name = `${path}.damaged`;
  for (let n = 2; existsSync(name); n++) name = `${path}.damaged-${n}`;
  try {
    renameSync(path, name);
  } catch (error) {
    // The server or a command did it first.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
