// Shreds identities of completed requests when they are no longer needed for erasing again.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { ForgettingStore } from '../domain/request/forgetting-ports.ts';

const AT_ONCE = 250;
/** Batches wait for chores, so one run must not take minutes; the next one continues. */
const MAX_CHUNKS = 20;

export function createShredDue(
  store: Pick<ForgettingStore, 'anyToShred'>,
  retentionMs: number,
): DueChore {
  return {
    name: 'shredding identities',
    isDue: (now) => store.anyToShred(now - retentionMs),
  };
}

export function createShredChore(
  store: Pick<ForgettingStore, 'anyToShred' | 'shred'>,
  retentionMs: number,
  /** The write-ahead log must be truncated: it still contains the deleted data. */
  shredded: () => void,
  /** Whether the clock can be trusted. */
  mayForget: (now: number) => Promise<boolean> = async () => true,
): Chore {
  return {
    ...createShredDue(store, retentionMs),
    async run(now) {
      // Without a retention there is nothing that a wrong clock could cut short.
      if (retentionMs > 0 && !(await mayForget(now))) return;
      for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
        const count = await store.shred(now - retentionMs, AT_ONCE, now);
        if (count > 0) shredded();
        if (count < AT_ONCE) return;
        await nextTurn();
      }
    },
  };
}
