import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSigningKeys } from '../../../src/auth/signing-keys.ts';
import type { StoredSigningKey } from '../../../src/domain/keys/secret-ports.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';
import { NOON, type RecordsNode } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const aKey = (kid: string, createdTime: number): StoredSigningKey => ({
  kid,
  publicJwk: '{}',
  sealedPrivateKey: Buffer.from(`sealed ${kid}`),
  createdTime,
  retiredTime: null,
  revokedTime: null,
});

export function describeSigningKeys(use: () => RecordsInUse): void {
  it('are the newest first, and the one before is retired', async () => {
    const { node, other } = use();
    await node.signingKeys.addSigningKey(aKey('a', NOON), 'retire', 'system');
    await node.signingKeys.addSigningKey(aKey('b', NOON + 1), 'retire', 'system');
    const keys = await other.signingKeys.signingKeys();
    expect(keys.map(({ kid, retiredTime }) => [kid, retiredTime])).toEqual([
      ['b', null],
      ['a', NOON + 1],
    ]);
    expect(Buffer.from(keys[0]?.sealedPrivateKey ?? []).toString()).toBe('sealed b');
  });

  it('are revoked when that is asked for, those that were retired before too', async () => {
    const { signingKeys } = use().node;
    await signingKeys.addSigningKey(aKey('a', NOON), 'retire', 'system');
    await signingKeys.addSigningKey(aKey('b', NOON + 1), 'retire', 'system');
    await signingKeys.addSigningKey(aKey('c', NOON + 2), 'revoke', 'operator:olga');
    const keys = await signingKeys.signingKeys();
    expect(keys.map((it) => [it.kid, it.retiredTime, it.revokedTime])).toEqual([
      ['c', null, null],
      ['b', NOON + 2, NOON + 2],
      ['a', NOON + 1, NOON + 2],
    ]);
  });

  it('take the place of the one that is meant, and of no other', async () => {
    const { signingKeys, auditLog } = use().node;
    await signingKeys.addSigningKey(aKey('a', NOON), 'retire', 'system', { of: 'nobody' });
    expect(await signingKeys.signingKeys()).toEqual([]);
    await signingKeys.addSigningKey(aKey('a', NOON), 'retire', 'system', { of: null });
    await signingKeys.addSigningKey(aKey('b', NOON + 1), 'retire', 'system', { of: null });
    await signingKeys.addSigningKey(aKey('c', NOON + 2), 'retire', 'system', { of: 'a' });
    expect((await signingKeys.signingKeys()).map(({ kid }) => kid)).toEqual(['c', 'a']);
    const rows = await auditLog.list({ action: 'signing_key.created', limit: 9 });
    expect(rows.map(({ detail }) => JSON.parse(detail ?? '').kid)).toEqual(['c', 'a']);
  });

  it('are made once if several nodes find none, and rotated once by all of them', async () => {
    const { node, other } = use();
    const sealer = createSecretSealer(createMasterKeyRing([randomBytes(32)]));
    const clock = { now: NOON };
    const keysOf = ({ signingKeys }: RecordsNode) =>
      createSigningKeys({
        store: signingKeys,
        sealer,
        clock: () => clock.now,
        rotateAfterMs: 1000,
        verifyRetiredMs: 5000,
        refreshMs: 5000,
      });
    const nodes = [node, other, node, other].map(keysOf);
    await Promise.all(nodes.map((one) => one.ensure()));
    const first = await Promise.all(nodes.map(async (one) => (await one.current()).kid));
    expect(new Set(first).size).toBe(1);
    expect(await node.signingKeys.signingKeys()).toHaveLength(1);
    clock.now += 1000;
    await Promise.all(nodes.map((one) => one.maintain()));
    const second = await Promise.all(nodes.map(async (one) => (await one.current()).kid));
    expect(new Set(second).size).toBe(1);
    expect(second[0]).not.toBe(first[0]);
    expect(await node.signingKeys.signingKeys()).toHaveLength(2);
  });

  it('are removed when they verify no token any more', async () => {
    const { signingKeys } = use().node;
    await signingKeys.addSigningKey(aKey('a', NOON), 'retire', 'system');
    await signingKeys.addSigningKey(aKey('b', NOON + 1), 'retire', 'system');
    await signingKeys.removeSigningKeysRetiredBefore(NOON + 1);
    expect(await signingKeys.signingKeys()).toHaveLength(2);
    await signingKeys.removeSigningKeysRetiredBefore(NOON + 2);
    expect((await signingKeys.signingKeys()).map(({ kid }) => kid)).toEqual(['b']);
  });
}
