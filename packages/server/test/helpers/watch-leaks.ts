// Looks for marks in a folder again and again, at whatever moment it gets to.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FindLeaks } from './find-leaks.ts';

const REST_MS = 20;

export function watchLeaks(folder: string, findLeaks: FindLeaks) {
  const found = new Set<string>();
  let looks = 0;
  let isWatching = true;

  function look(): void {
    for (const name of readdirSync(folder)) {
      let bytes: Buffer;
      try {
        bytes = readFileSync(join(folder, name));
      } catch {
        // Gone since the folder was read.
        continue;
      }
      for (const leak of findLeaks(name, bytes)) found.add(leak);
    }
    looks++;
  }

  const watching = (async () => {
    while (isWatching) {
      look();
      await pause(REST_MS);
    }
  })();

  return {
    /** What was found at any of so many looks. */
    async stop(): Promise<{ readonly leaks: string[]; readonly looks: number }> {
      isWatching = false;
      await watching;
      return { leaks: [...found], looks };
    },
  };
}
