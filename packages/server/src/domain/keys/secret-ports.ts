// Signing keys and other secrets of the installation in the store, sealed under a master key.

import type { MissingSecret } from './missing-secret.ts';

export interface StoredSigningKey {
  readonly kid: string;
  readonly publicJwk: string;
  readonly sealedPrivateKey: Uint8Array;
  readonly createdTime: number;
  /** When it stopped signing; it still verifies. Null while it signs. */
  readonly retiredTime: number | null;
  /** When it stopped verifying. */
  readonly revokedTime: number | null;
}

export interface SigningKeyStore {
  signingKeys(): Promise<StoredSigningKey[]>;
  /**
   * Adds the key and retires (or revokes) earlier keys in one transaction. With `instead`: only if that key still
   * signs (null: no key signs), so that one of several nodes does it. `except`: keys that are not ours.
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
  /** The master keys under which data in the store is sealed; none in a new store. */
  masterKeyIds(): Promise<string[]>;
  /**
   * Records keys that the store does not know. It may hold data sealed under the current one from now on.
   * Earlier ones only in a store that was restored: they were made and left since the backup.
   */
  addMasterKeys(current: string, earlier: readonly string[], time: number): Promise<void>;
  /**
   * The same for a new store. If several nodes find it new at once, the first decides: the others get false and
   * must use its key.
   */
  addFirstMasterKey(masterKeyId: string, time: number): Promise<boolean>;
}

/** Keys of our own that outlive the master key that seals them. */
export interface OwnSecretStore {
  ownSecret(name: string): Promise<Uint8Array | undefined>;
  /**
   * Keeps an existing secret of that name. Rejects with SecretMissing if the store has data that was made with a
   * secret that is gone.
   */
  addOwnSecret(name: string, sealed: Uint8Array): Promise<void>;
  missingSecrets(): Promise<MissingSecret[]>;
  /** The time since which backups contain that secret; null if nothing was made with it. */
  madeWith(name: string): Promise<number | null>;
}

export interface RowKeyStore {
  /** Adds the key that authenticates rows, if there is none. `lost`: rows have MACs already, so there was a key. */
  addRowKey(name: string, sealed: Uint8Array): Promise<'added' | 'there' | 'lost'>;
}
