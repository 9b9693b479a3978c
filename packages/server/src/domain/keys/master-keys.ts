// Rules about master keys: which one is current, which have to be moved away from, which may be destroyed.
import { DAY_MS } from '../time-units.ts';
import type { StoredMasterKey } from './key-ports.ts';

/** Minimum even if no backups are kept, so that a command that began before the rotation can finish. */
const MIN_RETIREMENT_MS = 60_000;

/** Pause before trying again to change a file that could not be changed. */

/** The key that the server adopted last. */
export function currentMasterKey(keys: readonly StoredMasterKey[]): StoredMasterKey | undefined {
  return keys
    .filter(({ generation, destroyedTime }) => generation !== null && destroyedTime === null)
    .reduce<StoredMasterKey | undefined>(
      (best, key) => ((best?.generation ?? -1) < (key.generation ?? -1) ? key : best),
      undefined,
    );
}

/** Keys whose data is to be moved to the current key. Does not include keys that are yet to be adopted. */
export function keysToLeave(keys: readonly StoredMasterKey[]): StoredMasterKey[] {
  const current = currentMasterKey(keys);
  if (current === undefined) return [];
  return keys.filter(
    (key) =>
      key !== current &&
      key.retiredTime === null &&
      key.destroyedTime === null &&
      (key.generation !== null || key.madeNo < (current.generation ?? 0)),
  );
}

/** When a retired key may be destroyed: by then the last backup that needs it is gone. */
export function destroyableFrom(
  { retiredTime }: Pick<StoredMasterKey, 'retiredTime'>,
  retentionBackupsMs: number,
): number | null {
  return retiredTime === null
    ? null
    : retiredTime + Math.max(retentionBackupsMs, MIN_RETIREMENT_MS);
}

export function keysToDestroy(
  keys: readonly StoredMasterKey[],
  retentionBackupsMs: number,
  now: number,
): StoredMasterKey[] {
  return keys.filter((key) => {
    const from = destroyableFrom(key, retentionBackupsMs);
    const isPutOff = (key.undestroyedTime ?? Number.NEGATIVE_INFINITY) > now - DAY_MS;
    return key.destroyedTime === null && from !== null && from <= now && !isPutOff;
  });
}
