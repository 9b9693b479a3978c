import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { loadVaultKeys, MasterKeyProblem } from '../../../src/vault/load-keys.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { loadOwnSecret } from '../../../src/vault/own-secret.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';
import { NOON } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const aRing = () => createMasterKeyRing([randomBytes(32)]);

export function describeFirstKeys(use: () => RecordsInUse): void {
  it('is the one that was recorded first, and every other key is refused', async () => {
    const { node, other } = use();
    const keys = Array.from({ length: 4 }, () => randomBytes(32).toString('hex'));
    const loads = keys.map((masterKey, index) =>
      loadVaultKeys(
        { masterKey, masterKeyFile: 'none' },
        (index % 2 === 0 ? node : other).vaultKeys,
        () => NOON,
      ),
    );
    const loaded = await Promise.allSettled(loads);
    const [won, ...rest] = loaded.filter(({ status }) => status === 'fulfilled');
    expect(rest).toEqual([]);
    const ring = won?.status === 'fulfilled' ? won.value.ring : undefined;
    expect(await node.vaultKeys.masterKeyIds()).toEqual([ring?.current.id]);
    const refused = loaded.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(3);
    expect(refused.every((reason) => reason instanceof MasterKeyProblem)).toBe(true);
  });

  it('may be recorded by all who have it', async () => {
    const { node, other } = use();
    const [id, another] = [aRing().current.id, aRing().current.id];
    const both = [node, other].map((one) => one.vaultKeys.addFirstMasterKey(id, NOON));
    expect(await Promise.all(both)).toEqual([true, true]);
    expect(await node.vaultKeys.addFirstMasterKey(another, NOON)).toBe(false);
    expect(await node.vaultKeys.masterKeyIds()).toEqual([id]);
    await node.vaultKeys.addMasterKey(another, NOON + 1);
    expect(await node.vaultKeys.masterKeyIds()).toEqual([id, another]);
  });

  it('opens secrets of our own that are made once by any node', async () => {
    const { node, other } = use();
    const sealer = createSecretSealer(aRing());
    const made = await Promise.all(
      [node, other, node].map((one) => loadOwnSecret(one.ownSecrets, sealer, 'overwrite hashes')),
    );
    const secrets = made.map((key) => key.export().toString('hex'));
    expect(new Set(secrets).size).toBe(1);
    expect(await node.ownSecrets.ownSecret('another')).toBeUndefined();
  });
}
