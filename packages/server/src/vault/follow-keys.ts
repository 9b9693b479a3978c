// A running server notices that a command has changed its master keys, and loads the new ones.

import type { Clock } from '../domain/clock.ts';
import type { MasterKeyStore, StoredMasterKey } from '../domain/keys/key-ports.ts';
import type { VaultKeys } from './load-keys.ts';

export interface FollowKeysParts {
  readonly masterKeys: MasterKeyStore['masterKeys'];
  readonly adopt: MasterKeyStore['adopt'];
  readonly vaultKeys: VaultKeys;
  /** Passes them to the thread that seals; resolves to whether it accepted them. */
  readonly passToSealer: (masterKeys: readonly Uint8Array[]) => Promise<boolean>;
  readonly clock: Clock;
  readonly warn: (fields: object, message: string) => void;
}

export function createFollowKeys(parts: FollowKeysParts): () => Promise<void> {
  const { masterKeys, adopt, vaultKeys, passToSealer: hand, clock, warn } = parts;
  let known = '';
  let warned = '';
  let isLooking = false;

  const fingerprintOf = (keys: readonly StoredMasterKey[]) =>
    keys.map((key) => `${key.masterKeyId} ${key.destroyedTime}`).join();

  function reload(shape: string): boolean {
    try {
      vaultKeys.reload();
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      if (warned !== shape) warn({ reason }, 'the master keys were changed and cannot be read');
      warned = shape;
      return false;
    }
  }

  async function adoptKeys(keys: readonly StoredMasterKey[]): Promise<void> {
    if (!reload(fingerprintOf(keys))) return;
    const { ring } = vaultKeys;
    const missing = keys.find(
      (key) =>
        key.retiredTime === null && key.destroyedTime === null && !ring.byId(key.masterKeyId),
    );
    if (missing !== undefined) {
      warn(
        { master_key: missing.masterKeyId },
        'a command has used a master key that this server does not have; restart it with the same keys',
      );
    }
    if (!(await hand(vaultKeys.masterKeys))) return;
    // A backup that was restored under this server may not have them.
    await vaultKeys.record();
    // Adopt the key only now: from here on nothing more is sealed with an earlier one.
    const current = keys.find((key) => key.masterKeyId === ring.current.id);
    if (current?.generation == null || isOvertaken(current, keys)) {
      await adopt(ring.current.id, clock());
    }
    known = fingerprintOf(keys);
  }

  return async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const keys = await masterKeys();
      if (fingerprintOf(keys) !== known) await adoptKeys(keys);
    } finally {
      isLooking = false;
    }
  };
}

/** The operator has made an earlier key the current one again. */
function isOvertaken(current: StoredMasterKey, keys: readonly StoredMasterKey[]): boolean {
  return keys.some((key) => (key.generation ?? -1) > (current.generation ?? -1));
}
