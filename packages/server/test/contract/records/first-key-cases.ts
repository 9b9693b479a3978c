import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { loadVaultKeys, MasterKeyProblem } from '../../../src/vault/load-keys.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { loadOwnSecret } from '../../../src/vault/own-secret.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';
import { ACME, GLOBEX, NOON } from './under-test.ts';
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
    await node.vaultKeys.addMasterKeys(another, [], NOON + 1);
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

  it('names missing secrets, by the rows that only they can have made', async () => {
    const { under, node, records } = use();
    const { ownSecrets } = node;
    expect(await ownSecrets.missingSecrets()).toEqual([{ name: 'row authentication', since: 0 }]);
    for (const controller_id of [ACME, GLOBEX]) {
      await under.update('controllers', { controller_id }, { mac: null });
    }
    expect(await ownSecrets.missingSecrets()).toEqual([]);
    const key = { key_no: 1, key_id: 'aa', public_key: 'PEM', created_time: 7 };
    const bytes = Buffer.alloc(32);
    await under.insert('proof_keys', { ...key, signature: bytes, mac: bytes });
    await under.insert('proof_keys', {
      ...key,
      key_no: 2,
      key_id: 'bb',
      created_time: 9,
      signature: bytes,
      mac: bytes,
    });
    await records.completed({ completed_time: NOON + 1 });
    const missing = await ownSecrets.missingSecrets();
    expect(missing.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      // Whoever was erased had a digest, and rows were authenticated before a key was published.
      { name: 'identity digests', since: NOON + 1 },
      { name: 'overwrite hashes', since: NOON },
      // A backup from before the newest key has an older one.
      { name: 'proof signing key', since: 9 },
      { name: 'row authentication', since: 7 },
    ]);
    await expect(ownSecrets.addOwnSecret('identity digests', bytes)).rejects.toThrow('digests');
  });
}
