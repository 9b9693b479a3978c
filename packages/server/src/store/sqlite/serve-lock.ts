// Only one server may use a data folder, because throttles and batches are kept in its memory.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, takeFileLock } from '../../files/lock-file.ts';

const WAIT_FOR_PREDECESSOR_MS = 3000;

/** The folders that this process has the lock of. */
const held = new Set<string>();

/** Returns undefined if another server uses the folder. */
export function takeServeLock(
  dataDir: string,
  waitMs = WAIT_FOR_PREDECESSOR_MS,
): FileLock | undefined {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = takeFileLock(join(dataDir, 'serve.lock'), waitMs);
  if (lock === undefined) return undefined;
  held.add(dataDir);
  return {
    release() {
      held.delete(dataDir);
      lock.release();
    },
  };
}

/** While no server of another process uses the folder, and none can start; undefined if one does. */
export function withServeLock<T>(dataDir: string, work: () => T): T | undefined {
  if (held.has(dataDir)) return work();
  const lock = takeServeLock(dataDir);
  if (lock === undefined) return undefined;
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** Has the number of the process that serves, for `unwrite config reload`. */
export function pidFileIn(dataDir: string): string {
  return join(dataDir, 'serve.pid');
}

/** Only under the lock. */
export function writePidFile(dataDir: string): { remove(): void } {
  const path = pidFileIn(dataDir);
  writeFileSync(path, `${process.pid}\n`, { mode: 0o600 });
  return { remove: () => rmSync(path, { force: true }) };
}
