import { existsSync, renameSync } from 'node:fs';

/** A file, or a folder of its name, that says nothing. One that was put aside before stays. */
export function setAsideDamaged(path: string): void {
  let name = `${path}.damaged`;
  for (let n = 2; existsSync(name); n++) name = `${path}.damaged-${n}`;
  try {
    renameSync(path, name);
  } catch (error) {
    // The server, or a command, was first.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
