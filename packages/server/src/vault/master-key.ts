// The key that wraps all others. Its id is a digest, so that a store can say which key it needs
// without holding any of it.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { KEY_BYTES } from './aes-gcm.ts';

export interface MasterKey {
  readonly id: string;
  /** Seals secrets of our own. */
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
  // One key a purpose, so that no two uses of one key can ever meet.
  const derive = (purpose: string) => createHmac('sha256', bytes).update(purpose).digest();
  return {
    id: derive('unwrite master key id').toString('hex').slice(0, 16),
    sealingKey: createSecretKey(derive('unwrite sealing key')),
    wrappingKey: createSecretKey(derive('unwrite wrapping key')),
  };
}

/** The first key is the current one: it wraps, all of them unwrap. */
export function createMasterKeyRing(keys: readonly Uint8Array[]): MasterKeyRing {
  const [current, ...earlier] = keys.map(createMasterKey);
  if (current === undefined) throw new RangeError('there is no master key');
  const byId = new Map([current, ...earlier].map((key) => [key.id, key]));
  return { current, byId: (id) => byId.get(id) };
}

/** 32 bytes as base64 or hexadecimal; undefined where the text is neither. */
export function parseMasterKey(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return Buffer.from(trimmed, 'base64');
  return undefined;
}
