import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyPool, unwrapKey } from '../../src/vault/key-pool.ts';
import { createMasterKey } from '../../src/vault/master-key.ts';

const MANY = 1000;
const BLOCK_BYTES = 16;
const masterKey = createMasterKey(randomBytes(32));

describe('a pool of keys', () => {
  it('gives each key once, and each unwraps to itself', () => {
    const freshKey = createKeyPool(masterKey);
    const seen = new Set<string>();
    for (let n = 0; n < MANY; n++) {
      const { key, wrappedKey } = freshKey();
      seen.add(key.toString('hex'));
      expect(unwrapKey(masterKey, wrappedKey).equals(key)).toBe(true);
    }
    expect(seen.size).toBe(MANY);
  });

  it('never uses a counter block twice, also between two pools of one master key', () => {
    const blocks = new Set<bigint>();
    for (const freshKey of [createKeyPool(masterKey), createKeyPool(masterKey)]) {
      for (let n = 0; n < MANY; n++) {
        const { wrappedKey } = freshKey();
        const start = Buffer.from(wrappedKey.subarray(0, BLOCK_BYTES)).toString('hex');
        const blocksOfKey = (wrappedKey.length - BLOCK_BYTES) / BLOCK_BYTES;
        for (let block = 0; block < blocksOfKey; block++) {
          blocks.add(BigInt(`0x${start}`) + BigInt(block));
        }
      }
    }
    expect(blocks.size).toBe(2 * MANY * 2);
  });

  it('keeps no key that was zeroed after use', () => {
    const freshKey = createKeyPool(masterKey);
    const { key, wrappedKey } = freshKey();
    const copy = Buffer.from(key);
    key.fill(0);
    expect(unwrapKey(masterKey, wrappedKey).equals(copy)).toBe(true);
    expect(freshKey().key.equals(copy)).toBe(false);
  });

  it('gives wrapped keys that another master key unwraps to something else', () => {
    const { key, wrappedKey } = createKeyPool(masterKey)();
    const other = createMasterKey(randomBytes(32));
    expect(unwrapKey(other, wrappedKey).equals(key)).toBe(false);
  });
});
