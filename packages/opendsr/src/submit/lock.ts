// Two runs with one journal would give the same people two ids each.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileFailure, usageFailure } from '../failure.ts';

/** Returns how to unlock. The lock of a process that has died does not count. */
export function lockJournal(journal: string): () => void {
  const path = `${journal}.lock`;
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw fileFailure(path, error, 'be written');
    }
    const owner = ownerOf(path);
    if (attempt > 0 || (owner !== undefined && isAlive(owner))) {
      throw usageFailure(
        `process ${owner ?? '?'} works with ${journal}; wait for it, or remove ${path} if it is no opendsr`,
      );
    }
    rmSync(path, { force: true });
  }
}

function ownerOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
