// Fresh keys, wrapped by the master key many at a time: one cipher call for sixty-four keys costs what
// one for a single key does. AES-256-CTR needs no tag here: a wrapped key that was tampered with
// unwraps to a wrong key, and what it sealed (AES-GCM, with the request bound in) does not open.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KEY_BYTES } from './aes-gcm.ts';
import type { MasterKey } from './master-key.ts';

const ALGORITHM = 'aes-256-ctr';
const POOL_KEYS = 64;
const NONCE_BYTES = 12;
const COUNTER_BLOCK_BYTES = 16;
const BLOCKS_PER_KEY = KEY_BYTES / COUNTER_BLOCK_BYTES;

export interface FreshKey {
  /** Use it once, then zero it. */
  readonly key: Buffer;
  readonly wrappedKey: Uint8Array;
}

export function createKeyPool({ wrappingKey }: MasterKey): () => FreshKey {
  let keys = Buffer.alloc(0);
  let wrapped = Buffer.alloc(0);
  let nonce = Buffer.alloc(0);
  let next = POOL_KEYS;

  function refill(): void {
    keys = randomBytes(POOL_KEYS * KEY_BYTES);
    nonce = randomBytes(NONCE_BYTES);
    wrapped = createCipheriv(ALGORITHM, wrappingKey, counterBlock(nonce, 0)).update(keys);
    next = 0;
  }

  return () => {
    if (next === POOL_KEYS) refill();
    const at = next * KEY_BYTES;
    const start = counterBlock(nonce, next * BLOCKS_PER_KEY);
    next++;
    return {
      key: keys.subarray(at, at + KEY_BYTES),
      wrappedKey: Buffer.concat([start, wrapped.subarray(at, at + KEY_BYTES)]),
    };
  };
}

/** Wraps a single key, to move it to another master key. */
export function wrapKey({ wrappingKey }: MasterKey, key: Uint8Array): Uint8Array {
  const start = counterBlock(randomBytes(NONCE_BYTES), 0);
  return Buffer.concat([start, createCipheriv(ALGORITHM, wrappingKey, start).update(key)]);
}

/** Throws if the length is wrong. Other damage is detected when what the key sealed is decrypted. */
export function unwrapKey({ wrappingKey }: MasterKey, wrappedKey: Uint8Array): Buffer {
  if (wrappedKey.length !== COUNTER_BLOCK_BYTES + KEY_BYTES) {
    throw new Error('the wrapped key is damaged');
  }
  const start = wrappedKey.subarray(0, COUNTER_BLOCK_BYTES);
  const decipher = createDecipheriv(ALGORITHM, wrappingKey, start);
  return decipher.update(wrappedKey.subarray(COUNTER_BLOCK_BYTES));
}

function counterBlock(nonce: Buffer, counter: number): Buffer {
  const block = Buffer.alloc(COUNTER_BLOCK_BYTES);
  nonce.copy(block);
  block.writeUInt32BE(counter, NONCE_BYTES);
  return block;
}
