// A folder in memory for what tests write. SQLite syncs every commit and MariaDB every table that it makes or
// drops: on a disk, a test with a database waits for that longer than for anything else.
import { existsSync, readFileSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
const WANTED_BYTES = 4 * 1024 ** 3;

/** None where there is too little of it, as in most containers, or where no program can be run from it. */
export function memoryFolder(): string | undefined {
  if (!existsSync(FOLDER) || process.availableMemory() < WANTED_BYTES) return undefined;
  const { bavail, bsize } = statfsSync(FOLDER);
  return bavail * bsize >= WANTED_BYTES && canRunPrograms() ? FOLDER : undefined;
}

function canRunPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , , options = ''] =
    mounts.findLast((line) => line.includes(` ${FOLDER} `))?.split(' ') ?? [];
  return !options.split(',').includes('noexec');
}
