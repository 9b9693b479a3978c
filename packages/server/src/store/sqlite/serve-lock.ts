// Only one server may use a data folder, because throttles and batches are kept in its memory.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, takeFileLock } from '../../files/lock-file.ts';

const WAIT_FOR_PREDECESSOR_MS = 3000;

/** Returns undefined if another server uses the folder. */
export function takeServeLock(
  dataDir: string,
  waitMs = WAIT_FOR_PREDECESSOR_MS,
): FileLock | undefined {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return takeFileLock(join(dataDir, 'serve.lock'), waitMs);
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
