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
  /** A key that the store needs is in the memory of this server only. */
  readonly tellLost: (problem: Error) => void;
  /** The keys could not be read or adopted. Told once, until it works again. */
  readonly tellFailure: (error: unknown) => void;
}

/** A file that is not replaced at once is empty for a moment. */
const LOOKS_BEFORE_TELLING = 2;

export function createFollowKeys(parts: FollowKeysParts): () => Promise<void> {
  const { masterKeys, adopt, vaultKeys, passToSealer: hand, clock, warn, tellLost } = parts;
  let known = '';
  let warned = '';
  let lacked: string | undefined;
  let isLooking = false;
  let looksWithoutKey = 0;
  let hasFailed = false;

  const fingerprintOf = (keys: readonly StoredMasterKey[]) =>
    keys.map((key) => `${key.masterKeyId} ${key.destroyedTime}`).join();

  /** Whether the file could be read, and still has what the store needs. */
  function reload(keys: readonly StoredMasterKey[]): boolean {
    const shape = fingerprintOf(keys);
    try {
      vaultKeys.reload({ needed: neededOf(keys), all: keys.map((key) => key.masterKeyId) });
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      if (warned !== shape) warn({ reason }, 'the master keys were changed and cannot be read');
      else lookAtSource(keys);
      warned = shape;
      return false;
    }
  }

  async function adoptKeys(keys: readonly StoredMasterKey[]): Promise<void> {
    if (!reload(keys)) return;
    const { ring, lacking } = vaultKeys;
    // The copy of the file on this node may be seconds late, so it is read again until the key is there.
    if (lacking !== undefined && lacking === lacked) return;
    if (lacking !== undefined) {
      warn(
        { master_key: lacking },
        'a command has used a master key that this server does not have; this node is not ready until it has the same keys as the others',
      );
    }
    if (!(await hand(vaultKeys.masterKeys))) return;
    // A backup that was restored under this server may not have them.
    await vaultKeys.record();
    // Adopt the key only now: from here on nothing more is sealed with an earlier one.
    const current = keys.find((key) => key.masterKeyId === ring.current.id);
    // If it lacks a key, its own is an earlier one by mistake, and not because an operator has listed it first again.
    const isAgain = lacking === undefined && current !== undefined && isOvertaken(current, keys);
    if (current?.generation == null || isAgain) await adopt(ring.current.id, clock());
    lacked = lacking;
    if (lacking !== undefined) return;
    known = fingerprintOf(keys);
  }

  /** Told once, until the key is back. */
  function lookAtSource(keys: readonly StoredMasterKey[]): void {
    try {
      vaultKeys.requireKept(neededOf(keys));
      looksWithoutKey = 0;
    } catch (error) {
      looksWithoutKey++;
      if (looksWithoutKey === LOOKS_BEFORE_TELLING) tellLost(error as Error);
    }
  }

  return async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const keys = await masterKeys();
      if (fingerprintOf(keys) !== known) await adoptKeys(keys);
      else lookAtSource(keys);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) parts.tellFailure(error);
      hasFailed = true;
    } finally {
      isLooking = false;
    }
  };
}

/** Those under which something may be sealed. */
export function neededOf(keys: readonly StoredMasterKey[]): string[] {
  const needed = keys.filter((key) => key.retiredTime === null && key.destroyedTime === null);
  return needed.map(({ masterKeyId }) => masterKeyId);
}

/** The operator has made an earlier key the current one again. */
function isOvertaken(current: StoredMasterKey, keys: readonly StoredMasterKey[]): boolean {
  return keys.some((key) => (key.generation ?? -1) > (current.generation ?? -1));
}
