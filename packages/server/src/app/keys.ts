// The master keys of a running server: notices a rotation, finishes it, and destroys retired keys.
import type { Config } from '../config/config.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import { SecretMissing } from '../domain/keys/missing-secret.ts';
import type { DueStore, Store, WorkStore } from '../domain/store/store.ts';
import { removeFromKeyFile } from '../vault/change-key-file.ts';
import { type DigestKeys, loadDigestKeys } from '../vault/digest-keys.ts';
import {
  createDestroyChore,
  createDestroyDue,
  createRewrapChore,
  createRewrapDue,
} from '../vault/key-chores.ts';
import type { MasterKeySource } from '../vault/load-keys.ts';
import type { MasterKeyRing } from '../vault/master-key.ts';
import { loadOwnSecret } from '../vault/own-secret.ts';
import { createRewrap, type TellUnreadable } from '../vault/rewrap.ts';
import { createSecretSealer, sealedUnderId } from '../vault/seal-secret.ts';

export interface KeyChoreSettings {
  readonly retentionBackupsMs: number;
  /** Null if keys are given from outside, where only the operator can destroy one. */
  readonly masterKeyFile: string | null;
}

/** Plain data, because it is passed to a thread. */
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

export interface KeyChoreParts {
  readonly store: Pick<WorkStore, 'masterKeys'>;
  readonly ring: MasterKeyRing;
  readonly settings: KeyChoreSettings;
  readonly shredded: () => void;
  readonly warn: (fields: object, message: string) => void;
  readonly unreadable: TellUnreadable;
  /** Whether the clock can be trusted. */
  readonly mayForget: (now: number) => Promise<boolean>;
}

export function createKeyChores(parts: KeyChoreParts): Chore[] {
  const { ring, settings, shredded, warn, unreadable, mayForget } = parts;
  const store = parts.store.masterKeys;
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
  return [rewrap, createDestroyChore(store, retentionBackupsMs, remove, notDestroyed, mayForget)];
}

type DigestKeyPlaces = Pick<Store, 'ownSecrets' | 'digestKeys' | 'masterKeys' | 'clock'>;

/** Replaces the digest key when its period has ended, destroys unused ones, and sets aside unreadable ones. */
export async function maintainDigestKeys(
  store: DigestKeyPlaces,
  ring: MasterKeyRing,
  { digestKeyRotation, retentionRecords }: Pick<Config, 'digestKeyRotation' | 'retentionRecords'>,
  unreadable: TellUnreadable,
): Promise<void> {
  const now = store.clock();
  const keys = await openDigestKeys(store, ring, unreadable);
  await keys.maintain(digestKeyRotation * 1000, retentionRecords * 1000, now);
}

async function openDigestKeys(
  store: DigestKeyPlaces,
  ring: MasterKeyRing,
  unreadable: TellUnreadable,
): Promise<DigestKeys> {
  const now = store.clock();
  return loadDigestKeys(store, createSecretSealer(ring), now, async ({ name, sealed }) => {
    unreadable(`the own secret "${name}"`, sealedUnderId(sealed));
    await store.masterKeys.setAside({ kind: 'own secret', name, sealed }, now);
  });
}

/** Checks before a server starts that the secrets it needs exist and can be decrypted. */
export async function checkOwnSecrets(
  store: DigestKeyPlaces,
  ring: MasterKeyRing,
  unreadable: TellUnreadable,
): Promise<void> {
  const { ownSecrets } = store;
  const missing = await ownSecrets.missingSecrets();
  if (missing.length > 0) throw new SecretMissing(missing);
  await loadOwnSecret(ownSecrets, createSecretSealer(ring), 'overwrite hashes');
  await openDigestKeys(store, ring, unreadable);
}
