// The key that wraps all others. Its id is a digest, so that a store can say which key it needs without
// containing any part of it.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { KEY_BYTES } from './aes-gcm.ts';

export interface MasterKey {
  readonly id: string;
  /** Seals our own secrets. */
  readonly sealingKey: KeyObject;
  /** Wraps the keys of sealed identities. */
  readonly wrappingKey: KeyObject;
}

export interface MasterKeyRing {
  readonly current: MasterKey;
  byId(id: string): MasterKey | undefined;
}

export function createMasterKey(bytes: Uint8Array): MasterKey {
  if (bytes.length !== KEY_BYTES) throw new RangeError('a master key has 32 bytes');
  // One key for each purpose, so that no key is used in two ways.
  const derive = (purpose: string) => createHmac('sha256', bytes).update(purpose).digest();
  return {
    id: derive('unwrite master key id').toString('hex').slice(0, 16),
    sealingKey: createSecretKey(derive('unwrite sealing key')),
    wrappingKey: createSecretKey(derive('unwrite wrapping key')),
  };
}

/** A ring that survives a rotation: code that holds it uses the new keys from then on. */
export interface LiveMasterKeyRing extends MasterKeyRing {
  /** The current key first. */
  readonly keys: readonly Uint8Array[];
  /** Whether it has the key already: the source is not read. */
  has(id: string): boolean;
  use(keys: readonly Uint8Array[]): void;
}

/**
 * The first key is the current one: it wraps, all of them unwrap. For an unknown key the source is read once
 * more: a rotation writes the new key there before anything is sealed with it. A source without that key changes
 * nothing: it may have been replaced by mistake, and then only this ring still has the keys that were in it.
 */
export function createMasterKeyRing(
  given: readonly Uint8Array[],
  readAgain?: () => readonly Uint8Array[],
): LiveMasterKeyRing {
  let keys = given;
  let { current, byId } = indexKeys(keys);

  function use(newer: readonly Uint8Array[]): void {
    ({ current, byId } = indexKeys(newer));
    keys = newer;
  }

  function lookFor(id: string): void {
    const newer = readAgain?.() ?? [];
    if (newer.some((key) => createMasterKey(key).id === id)) use(newer);
  }

  return {
    get current() {
      return current;
    },
    get keys() {
      return keys;
    },
    has: (id) => byId.has(id),
    byId(id) {
      if (!byId.has(id)) lookFor(id);
      return byId.get(id);
    },
    use,
  };
}

function indexKeys(keys: readonly Uint8Array[]) {
  const [current, ...earlier] = keys.map(createMasterKey);
  if (current === undefined) throw new RangeError('there is no master key');
  return { current, byId: new Map([current, ...earlier].map((key) => [key.id, key])) };
}

/** 32 bytes as base64 or hexadecimal; undefined if the text is neither. */
export function parseMasterKey(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return Buffer.from(trimmed, 'base64');
  return undefined;
}
