import { randomBytes } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { describe, expect, it } from 'vitest';
import { Identity } from '../../src/domain/request/identity.ts';
import type { RequestKey } from '../../src/domain/request/request.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { createIdentityVault } from '../../src/vault/seal-identities.ts';

const ID = '3f2b8c1e-9d4a-4e6f-8a1b-2c3d4e5f6a7b';
const REQUEST = key('acme', ID);
const IDENTITIES = [
  new Identity('email', 'Jané+test@example.com'),
  new Identity('controller_customer_id', '0123'),
];

function key(controllerId: string, subjectRequestId: string): RequestKey {
  return {
    controllerId: controllerId as ControllerId,
    subjectRequestId: subjectRequestId as SubjectRequestId,
  };
}

function vaultWith(...keys: Uint8Array[]) {
  return createIdentityVault(createMasterKeyRing(keys));
}

const pairs = (identities: readonly Identity[]) => identities.map((it) => [it.type, it.reveal()]);

describe('sealed identities', () => {
  const masterKey = randomBytes(32);
  const vault = vaultWith(masterKey);

  it('open to exactly what was sealed', () => {
    expect(pairs(vault.open(REQUEST, vault.seal(REQUEST, IDENTITIES)))).toEqual(pairs(IDENTITIES));
  });

  it('open whatever the case in which the id is written', () => {
    const sealed = vault.seal(REQUEST, IDENTITIES);
    expect(pairs(vault.open(key('acme', ID.toUpperCase()), sealed))).toEqual(pairs(IDENTITIES));
  });

  it('hold nothing in clear', () => {
    const { sealed, wrappedKey } = vault.seal(REQUEST, IDENTITIES);
    const bytes = Buffer.concat([sealed, wrappedKey]);
    for (const { type } of IDENTITIES) expect(bytes.includes(type)).toBe(false);
    expect(bytes.includes('@example.com')).toBe(false);
    expect(bytes.includes('0123')).toBe(false);
  });

  it('are different each time', () => {
    const one = vault.seal(REQUEST, IDENTITIES);
    const other = vault.seal(REQUEST, IDENTITIES);
    expect(Buffer.from(one.sealed).equals(other.sealed)).toBe(false);
    expect(Buffer.from(one.wrappedKey).equals(other.wrappedKey)).toBe(false);
  });

  it.each([
    ['another controller', key('globex', ID)],
    ['another request', key('acme', ID.replace('3f', '4f'))],
  ])('do not open as those of %s', (_, other) => {
    const sealed = vault.seal(REQUEST, IDENTITIES);
    expect(() => vault.open(other, sealed)).toThrow();
  });

  it('do not open with another master key, even under its name', () => {
    const stranger = vaultWith(randomBytes(32));
    const sealed = vault.seal(REQUEST, IDENTITIES);
    expect(() => stranger.open(REQUEST, sealed)).toThrow(
      /master key [0-9a-f]{16} is not available/,
    );
    const { masterKeyId } = stranger.seal(REQUEST, []);
    expect(() => stranger.open(REQUEST, { ...sealed, masterKeyId })).toThrow();
  });

  it.each(['sealed', 'wrappedKey'] as const)('do not open when a bit of %s has changed', (part) => {
    const sealed = vault.seal(REQUEST, IDENTITIES);
    for (const at of [0, 20, sealed[part].length - 1]) {
      const changed = Buffer.from(sealed[part]);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => vault.open(REQUEST, { ...sealed, [part]: changed })).toThrow();
    }
  });

  it("do not open with another request's wrapped key", () => {
    const other = vault.seal(key('acme', ID.replace('3f', '4f')), IDENTITIES);
    const sealed = vault.seal(REQUEST, IDENTITIES);
    expect(() => vault.open(REQUEST, { ...sealed, wrappedKey: other.wrappedKey })).toThrow();
  });

  it('can still be opened with an earlier master key after a new one is added', () => {
    const sealed = vault.seal(REQUEST, IDENTITIES);
    const rotated = vaultWith(randomBytes(32), masterKey);
    expect(pairs(rotated.open(REQUEST, sealed))).toEqual(pairs(IDENTITIES));
    expect(rotated.seal(REQUEST, IDENTITIES).masterKeyId).not.toBe(sealed.masterKeyId);
  });

  it('never share a counter block or a key, across refills of the pool', () => {
    const wrapped = new Set<string>();
    for (let n = 0; n < 1000; n++) {
      const sealed = vault.seal(REQUEST, IDENTITIES);
      wrapped.add(Buffer.from(sealed.wrappedKey.subarray(0, 16)).toString('hex'));
      if (n % 100 === 0) expect(vault.open(REQUEST, sealed)).toHaveLength(2);
    }
    expect(wrapped.size).toBe(1000);
  });
});
