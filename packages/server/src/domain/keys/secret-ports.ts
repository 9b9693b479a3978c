// Signing keys and other secrets of the installation in the store, sealed under a master key.
import type { Actor } from '../task/operator-ports.ts';

import type { MissingSecret } from './missing-secret.ts';

export interface StoredSigningKey {
  readonly kid: string;
  readonly publicJwk: string;
  readonly sealedPrivateKey: Uint8Array;
  readonly createdTime: number;
  /** Signs no more, but still verifies; null while it signs. */
  readonly retiredTime: number | null;
  /** Neither signs nor verifies from then on. */
  readonly revokedTime: number | null;
}

export interface SigningKeyStore {
  signingKeys(): Promise<StoredSigningKey[]>;
  /**
   * Adds the key and retires (or revokes) those before it, in one transaction. With `instead`: only
   * where that one still signs (null: none does), so that of several nodes one does it. `except`: keys that are not ours.
   */
  addSigningKey(
    key: StoredSigningKey,
    before: 'retire' | 'revoke',
    actor: string,
    instead?: { readonly of: string | null; readonly except?: readonly string[] },
  ): Promise<void>;
  removeSigningKeysRetiredBefore(time: number): Promise<void>;
}

/** Seals small secrets of Unwrite's own, such as private signing keys, under the master key. */
export interface SecretSealer {
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
}

export interface VaultKeyStore {
  /** The master keys that something in the store is sealed under; none in a new store. */
  masterKeyIds(): Promise<string[]>;
  /** Records that the store now holds things sealed under this key. */
  addMasterKey(masterKeyId: string, time: number): Promise<void>;
  /**
   * The same for a new store. Of several nodes that find it new at once, the first decides: false, and
   * nothing is done, where the store needs another key by now.
   */
  addFirstMasterKey(masterKeyId: string, time: number): Promise<boolean>;
}

/** Keys of our own that outlive the master key that seals them. */
export interface OwnSecretStore {
  ownSecret(name: string): Promise<Uint8Array | undefined>;
  /**
   * Where there is one of that name already, it stays. Rejects with SecretMissing where the store has things that
   * were made with another one, which is gone.
   */
  addOwnSecret(name: string, sealed: Uint8Array): Promise<void>;
  missingSecrets(): Promise<MissingSecret[]>;
  /** The time from which backups have the secret of that name; null where nothing was made with it. */
  madeWith(name: string): Promise<number | null>;
}

export interface RowKeyStore {
  /**
   * Where there is no key that authenticates rows yet: in one transaction, every row that is there gets its MAC, and
   * the key is kept. `lost`: there are MACs already, so there was a key; nothing is done.
   */
  addRowKey(name: string, sealed: Uint8Array, by: Actor): Promise<'added' | 'there' | 'lost'>;
}
