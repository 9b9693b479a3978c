// Only one server may use a data folder, because throttles and batches are kept in its memory.
import { mkdirSync } from 'node:fs';
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
