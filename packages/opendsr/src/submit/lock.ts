// Two runs with one journal would give the same people two ids each.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileFailure, usageFailure } from '../failure.ts';

/** Of runs in this process. */
const held = new Set<string>();

/** Returns how to unlock. The lock of a process that has died does not count. */
export function lockJournal(journal: string): () => void {
  const path = `${journal}.lock`;
  if (!take(path)) {
    const owner = ownerOf(path);
    const isFree = !isAlive(owner, path) && retake(path);
    if (!isFree) {
      throw usageFailure(
        `process ${owner.pid} of ${owner.host} works with ${journal}; wait for it, or remove ${path} if it has ended`,
      );
    }
  }
  held.add(path);
  return () => {
    held.delete(path);
    rmSync(path, { force: true });
  };
}

/** False if it is there. */
function take(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid} ${hostname()}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // On a full disk it is there, and names no owner.
    rmSync(path, { force: true });
    throw fileFailure(path, error, 'be written');
  }
}

/** One process at a time: a second one would remove the lock that the first has just taken. */
function retake(path: string): boolean {
  const claim = `${path}.claim`;
  if (!take(claim)) return false;
  try {
    if (isAlive(ownerOf(path), path)) return false;
    rmSync(path, { force: true });
    return take(path);
  } finally {
    rmSync(claim, { force: true });
  }
}

interface Owner {
  readonly pid: string;
  readonly host: string;
}

function ownerOf(path: string): Owner {
  try {
    const [pid = '?', host = '?'] = readFileSync(path, 'utf8').split(/\s/);
    return { pid, host };
  } catch {
    return { pid: '?', host: '?' };
  }
}

/** Of another machine or container nothing is known. In a container the next run often has the same number. */
function isAlive({ pid, host }: Owner, path: string): boolean {
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return held.has(path);
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
