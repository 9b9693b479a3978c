// The master keys of a running server: noticing a rotation, finishing it, destroying what is left.
import type { Config } from '../config/config.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { DueStore, Store, WorkStore } from '../domain/store/store.ts';
import { removeFromKeyFile } from '../vault/change-key-file.ts';
import { loadDigestKeys } from '../vault/digest-keys.ts';
import {
  createDestroyChore,
  createDestroyDue,
  createRewrapChore,
  createRewrapDue,
} from '../vault/key-chores.ts';
import type { MasterKeySource } from '../vault/load-keys.ts';
import type { MasterKeyRing } from '../vault/master-key.ts';
import { createRewrap, type TellUnreadable } from '../vault/rewrap.ts';
import { createSecretSealer } from '../vault/seal-secret.ts';

export interface KeyChoreSettings {
  readonly retentionBackupsMs: number;
  /** null: given from outside, where only the operator can destroy one. */
  readonly masterKeyFile: string | null;
}

/** Plain data: it is handed to a thread. */
export function keySourceOf(config: Config): MasterKeySource {
  const { masterKey, masterKeyFile, masterKeyPrevious } = config;
  return { masterKey, masterKeyFile, masterKeyPrevious };
}

export function createKeyDueChores(store: DueStore, settings: KeyChoreSettings): DueChore[] {
  const { masterKeys } = store.masterKeys;
  const rewrap = createRewrapDue(masterKeys);
  if (settings.masterKeyFile === null) return [rewrap];
  return [rewrap, createDestroyDue(masterKeys, settings.retentionBackupsMs)];
}

export function createKeyChores(
  { masterKeys: store }: WorkStore,
  ring: MasterKeyRing,
  settings: KeyChoreSettings,
  shredded: () => void,
  warn: (fields: object, message: string) => void,
  unreadable: TellUnreadable,
): Chore[] {
  const moving = createRewrap(store, ring, unreadable);
  const rewrap = createRewrapChore(store.masterKeys, moving, shredded);
  const { masterKeyFile, retentionBackupsMs } = settings;
  if (masterKeyFile === null) return [rewrap];
  const remove = (id: string) => removeFromKeyFile(masterKeyFile, id);
  const notDestroyed = (id: string) =>
    warn(
      { master_key: id },
      'a retired master key cannot be removed from its file; remove it where the file is provisioned',
    );
  return [rewrap, createDestroyChore(store, retentionBackupsMs, remove, notDestroyed)];
}

/** Keys of digests whose period has ended, or of which no digest is left. */
export async function maintainDigestKeys(
  store: Pick<Store, 'ownSecrets' | 'digestKeys' | 'clock'>,
  ring: MasterKeyRing,
  { digestKeyRotation, retentionRecords }: Pick<Config, 'digestKeyRotation' | 'retentionRecords'>,
): Promise<void> {
  const now = store.clock();
  const keys = await loadDigestKeys(store, createSecretSealer(ring), now);
  await keys.maintain(digestKeyRotation * 1000, retentionRecords * 1000, now);
}
