import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { createSecretSealer } from '../../src/vault/seal-secret.ts';

const SECRET = Buffer.from('a private signing key');
const masterKey = randomBytes(32);
const sealer = createSecretSealer(createMasterKeyRing([masterKey]));

describe('a sealed secret', () => {
  it('opens to what was sealed, and holds none of it in clear', () => {
    const sealed = sealer.seal(SECRET, 'signing key');
    expect(Buffer.from(sealer.open(sealed, 'signing key')).equals(SECRET)).toBe(true);
    expect(Buffer.from(sealed).includes('private')).toBe(false);
  });

  it('does not open in another context', () => {
    expect(() => sealer.open(sealer.seal(SECRET, 'one key'), 'another key')).toThrow();
  });

  it('does not open with another master key, and says which one it needs', () => {
    const ring = createMasterKeyRing([masterKey]);
    const stranger = createSecretSealer(createMasterKeyRing([randomBytes(32)]));
    expect(() => stranger.open(sealer.seal(SECRET, 'key'), 'key')).toThrow(ring.current.id);
  });

  it('does not open when it was changed or cut', () => {
    const sealed = Buffer.from(sealer.seal(SECRET, 'key'));
    expect(() => sealer.open(sealed.subarray(0, -1), 'key')).toThrow();
    sealed[30] = (sealed[30] ?? 0) ^ 1;
    expect(() => sealer.open(sealed, 'key')).toThrow();
  });
});
