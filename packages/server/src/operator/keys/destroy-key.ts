// A master key is destroyed: what is left in old backups and in remains on disk cannot be opened any more.
import type { StoredMasterKey } from '../../domain/keys/key-ports.ts';
import { currentMasterKey, destroyableFrom } from '../../domain/keys/master-keys.ts';
import type { Store } from '../../domain/store/store.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { NotFound } from '../failures.ts';
import { isoTime } from '../iso-time.ts';
import type { MasterKeyAccess } from './master-key-access.ts';

export interface DestroyKeyParts {
  readonly store: Pick<Store, 'masterKeys'>;
  readonly access: MasterKeyAccess;
  readonly retentionBackupsMs: number;
}

export interface DestroyedKey {
  readonly master_key: string;
  /** Requests whose identities cannot be opened any more. */
  readonly requests_lost: number;
}

/** `force`: also while backups, or requests, can only be opened with it; they are lost. */
export async function destroyKey(
  { store, access, retentionBackupsMs }: DestroyKeyParts,
  id: string,
  force: boolean,
  by: Actor,
): Promise<DestroyedKey> {
  const { masterKeys } = store;
  const key = findKey(await masterKeys.masterKeys(), access, id);
  const from = destroyableFrom(key, retentionBackupsMs);
  const { requests, things } = await masterKeys.sealedUnder(id);
  if (!force) refuseLoss(key, from, { requests, things }, by.now);
  await masterKeys.destroy(id, force, () => removeKey(access, id), by);
  return { master_key: id, requests_lost: requests };
}

function findKey(
  keys: readonly StoredMasterKey[],
  access: MasterKeyAccess,
  id: string,
): StoredMasterKey {
  const key = keys.find(({ masterKeyId }) => masterKeyId === id);
  if (key === undefined) {
    throw new NotFound(`there is no master key ${id}; see "unwrite keys list"`);
  }
  if (key.destroyedTime !== null) throw new NotPossible(`${id} is destroyed already`);
  const isCurrent = currentMasterKey(keys)?.masterKeyId === id || access.currentId() === id;
  if (isCurrent) {
    throw new NotPossible(`${id} is the current master key; "unwrite keys rotate" first`);
  }
  return key;
}

function refuseLoss(
  key: StoredMasterKey,
  from: number | null,
  { requests, things }: { requests: number; things: number },
  now: number,
): void {
  const id = key.masterKeyId;
  if (things > 0 || from === null) {
    throw new NotPossible(
      `${counted(things, 'sealed value')}, with the identities of ${counted(requests, 'request')}, can only be opened with ${id}; "unwrite keys rotate" moves them. With --force they are lost`,
    );
  }
  if (from > now) {
    throw new NotPossible(
      `backups made before ${isoTime(key.retiredTime)} can only be opened with ${id}; it may be destroyed after ${isoTime(from)} (retention.backups). With --force those backups are lost`,
    );
  }
}

function removeKey(access: MasterKeyAccess, id: string): void {
  access.removeFromFile(id);
  access.reload();
  if (access.holds(id)) {
    throw new NotPossible(
      `${id} is given by UNWRITE_MASTER_KEY_PREVIOUS: take it out there, and wherever it is kept, then run this again`,
    );
  }
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
