// A disk of a few megabytes, in memory, that a test may fill. Only root can have one.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from './temporary-folder.ts';

export interface SmallDisk {
  /** Until not a byte more goes on it. */
  fill(): void;
  free(): void;
  remove(): void;
}

export function mountSmallDisk(path: string, megabytes: number): SmallDisk | undefined {
  const options = `size=${megabytes}m,mode=700`;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
  if (mounted.status !== 0) return undefined;
  const ballast = join(path, 'ballast');
  return {
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) fillBy(file, size);
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => spawnSync('umount', ['--lazy', path]),
  };
}

function fillBy(file: number, size: number): void {
  const bytes = Buffer.alloc(size);
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  }
}

export function canMountDisks(): boolean {
  const folder = makeTemporaryFolder();
  const disk = mountSmallDisk(folder.path, 1);
  disk?.remove();
  folder.remove();
  return disk !== undefined;
}
