// Old final requests, out of the way of those that are worked on; where the store has such a place.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore } from '../domain/chore.ts';
import type { RequestArchive } from '../domain/request/forgetting-ports.ts';

/** Clients poll the status of a request until it is final, and soon after: keep those requests in the hot table. */
const FINAL_FOR_MS = 7 * 86_400_000;
const AT_ONCE = 500;
const MAX_CHUNKS = 20;

export function createArchiveChore(store: RequestArchive): Chore {
  return {
    name: 'archiving old requests',
    isDue: (now) => store.anyToArchive(now - FINAL_FOR_MS),
    async run(now) {
      for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
        if ((await store.archive(now - FINAL_FOR_MS, AT_ONCE)) < AT_ONCE) return;
        await nextTurn();
      }
    },
  };
}
