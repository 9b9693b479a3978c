// Destroys a master key: copies in old backups and on disk cannot be decrypted any more.
import type { MasterKeyStore, StoredMasterKey } from '../../domain/keys/key-ports.ts';
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
}

/** `force`: also if backups need the key, which are then lost. Never while the store needs it. */
export async function destroyKey(
  { store, access, retentionBackupsMs }: DestroyKeyParts,
  id: string,
  force: boolean,
  by: Actor,
): Promise<DestroyedKey> {
  const { masterKeys } = store;
  const key = findKey(await masterKeys.masterKeys(), access, id);
  await refuseSealed(masterKeys, key);
  if (!force) await refuseLostBackups(masterKeys, key, retentionBackupsMs, by.now);
  if (!(await masterKeys.destroy(id, () => removeKey(access, id), by))) {
    await refuseSealed(masterKeys, key);
    throw new NotPossible(`${id} is in use again; "unwrite keys list" says how`);
  }
  return { master_key: id };
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

/** Lists what would be lost; refuses if there is anything. */
async function refuseSealed(
  { sealedUnder }: Pick<MasterKeyStore, 'sealedUnder'>,
  { masterKeyId: id, retiredTime }: StoredMasterKey,
): Promise<void> {
  const { requests, things, list } = await sealedUnder(id);
  if (things > 0) {
    throw new NotPossible(
      `${counted(things, 'sealed value')}, with the identities of ${counted(requests, 'request')}, can only be decrypted with ${id}: ${list.join(', ')}. "unwrite keys rotate" moves them, or a running server does; then it can be destroyed`,
    );
  }
  if (retiredTime === null) {
    throw new NotPossible(
      `${id} is not retired: the server may still seal with it. "unwrite keys rotate" finishes the rotation`,
    );
  }
}

/** Uses the audit log, because someone else may have set the column with the time of retirement. */
async function refuseLostBackups(
  masterKeys: Pick<MasterKeyStore, 'retiredByLog'>,
  key: StoredMasterKey,
  retentionBackupsMs: number,
  now: number,
): Promise<void> {
  const id = key.masterKeyId;
  const retiredTime = await masterKeys.retiredByLog(key);
  const from = destroyableFrom({ retiredTime }, retentionBackupsMs);
  if (from === null) {
    throw new NotPossible(
      `the audit log does not say that ${id} was retired: somebody has written to the database, and backups may need the key. With --force those backups are lost`,
    );
  }
  if (from > now) {
    throw new NotPossible(
      `backups made before ${isoTime(retiredTime)} can only be decrypted with ${id}; it may be destroyed after ${isoTime(from)} (retention.backups). With --force those backups are lost`,
    );
  }
}

function removeKey(access: MasterKeyAccess, id: string): void {
  access.removeFromFile(id);
  access.reload();
  if (access.holds(id)) {
    throw new NotPossible(
      `${id} is given by UNWRITE_MASTER_KEY_PREVIOUS: remove it there, and wherever you keep it, restart, then run this again`,
    );
  }
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
