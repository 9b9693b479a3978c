// The master keys, and what is sealed under each.
import type { StoredMasterKey } from '../../domain/keys/key-ports.ts';
import { currentMasterKey, destroyableFrom, keysToDestroy } from '../../domain/keys/master-keys.ts';
import type { Store } from '../../domain/store/store.ts';
import { isoTime } from '../iso-time.ts';
import type { MasterKeyAccess } from './master-key-access.ts';

export interface ListedKey {
  readonly master_key: string;
  readonly state: string;
  readonly created_time: string | null;
  readonly retired_time: string | null;
  readonly sealed: number;
  /** Counting stopped at the limit: there may be more. */
  readonly capped: boolean;
  readonly destroyable_time: string | null;
}

export async function listKeys(
  { masterKeys, clock }: Pick<Store, 'masterKeys' | 'clock'>,
  access: Pick<MasterKeyAccess, 'currentId'>,
  retentionBackupsMs: number,
  /** Most items counted of each kind that is sealed under a key; all of them where it is left out. */
  maxLookedAt?: number,
): Promise<ListedKey[]> {
  const now = clock();
  const keys = await masterKeys.masterKeys();
  // Before the first server has adopted a key, the current one is the key that this process would seal with.
  const current = currentMasterKey(keys)?.masterKeyId ?? access.currentId();
  const listed: ListedKey[] = [];
  for (const key of keys) {
    const { things: sealed, capped } = await masterKeys.sealedUnder(key.masterKeyId, maxLookedAt);
    const isDue = keysToDestroy([{ ...key, undestroyedTime: null }], retentionBackupsMs, now);
    // Uses the audit log, as destroying does: operators who keep a copy of the key elsewhere rely on this list.
    const retiredTime = isDue.length > 0 ? await masterKeys.retiredByLog(key) : key.retiredTime;
    const known = { ...key, retiredTime };
    const from = key.destroyedTime === null ? destroyableFrom(known, retentionBackupsMs) : null;
    const isDestroyable = from !== null && from <= now && sealed === 0;
    listed.push({
      master_key: key.masterKeyId,
      state: stateOf(known, current, isDestroyable),
      created_time: isoTime(key.createdTime),
      retired_time: isoTime(retiredTime),
      sealed,
      capped,
      destroyable_time: isoTime(from),
    });
  }
  return listed;
}

function stateOf(key: StoredMasterKey, current: string, isDestroyable: boolean): string {
  if (key.destroyedTime !== null) return 'destroyed';
  if (key.masterKeyId === current) return 'current';
  if (isDestroyable) return 'destroyable';
  return key.retiredTime === null ? 'in use' : 'retired';
}
