// The worker finishes a rotation, and destroys keys that are no longer needed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { MasterKeyStore, StoredMasterKey } from '../domain/keys/key-ports.ts';
import { destroyableFrom, keysToDestroy, keysToLeave } from '../domain/keys/master-keys.ts';
import type { Rewrap } from './rewrap.ts';

const MAX_STEPS = 20;

type ReadKeys = MasterKeyStore['masterKeys'];

export function createRewrapDue(masterKeys: ReadKeys): DueChore {
  return {
    name: 'moving to the new master key',
    isDue: async () => keysToLeave(await masterKeys()).length > 0,
  };
}

export function createRewrapChore(
  masterKeys: ReadKeys,
  rewrap: Rewrap,
  /** Keys wrapped with an earlier master key must not stay in the write-ahead log. */
  shredded: () => void,
): Chore {
  return {
    ...createRewrapDue(masterKeys),
    async run(now) {
      for (let step = 0; step < MAX_STEPS && (await rewrap.step(now)); step++) await nextTurn();
      shredded();
    },
  };
}

export function createDestroyDue(masterKeys: ReadKeys, retentionBackupsMs: number): DueChore {
  return {
    name: 'destroying a retired master key',
    isDue: async (now) => keysToDestroy(await masterKeys(), retentionBackupsMs, now).length > 0,
  };
}

export function createDestroyChore(
  store: MasterKeyStore,
  retentionBackupsMs: number,
  removeKey: (masterKeyId: string) => void,
  notDestroyed: (masterKeyId: string) => void,
  /** Whether the clock can be trusted. */
  mayForget: (now: number) => Promise<boolean> = async () => true,
): Chore {
  /** Uses the audit log, not only the column. */
  async function isTooEarly(key: StoredMasterKey, now: number): Promise<boolean> {
    const retiredTime = await store.retiredByLog(key);
    const from = destroyableFrom({ retiredTime }, retentionBackupsMs);
    return from === null || from > now;
  }

  return {
    ...createDestroyDue(store.masterKeys, retentionBackupsMs),
    async run(now) {
      const due = keysToDestroy(await store.masterKeys(), retentionBackupsMs, now);
      if (due.length === 0 || !(await mayForget(now))) return;
      for (const key of due) {
        const { masterKeyId } = key;
        const remove = () => removeKey(masterKeyId);
        if (await isTooEarly(key, now)) {
          await store.putOffDestroying(masterKeyId, now);
          continue;
        }
        try {
          const done = await store.destroy(masterKeyId, remove, { actor: 'system', now });
          if (!done) await store.unretire(masterKeyId);
        } catch {
          await store.putOffDestroying(masterKeyId, now);
          notDestroyed(masterKeyId);
        }
      }
    },
  };
}
