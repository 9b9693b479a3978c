// The key that signs receipts and heads is replaced: what it signed verifies all the same, without the installation.

import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { replaceOldProofKey } from '../../../src/app/proof/proof.ts';
import { loadProofSigner } from '../../../src/audit/proof-key.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';
import { call } from '../../helpers/http/api.ts';
import { withTestMacs } from '../../helpers/stores/row-macs.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import { useShop } from '../use-shop.ts';

const DAY = 86_400_000;

for (const kind of await storesInMatrix('cli/receipt/rotated-keys')) {
  describe(`rotated keys of proofs, on ${kind}`, () => {
    const shop = useShop({}, kind);
    const { json, unwrite, inStore, submit, addRows, untilTask } = shop;
    const file = (name: string, content: string): string => {
      const path = `${shop.folder()}/${name}`;
      writeFileSync(path, content);
      return path;
    };
    const url = () => `http://127.0.0.1:${shop.options().port}`;

    async function receiptOf(email: string): Promise<string> {
      addRows('acme', email, 1);
      const id = await submit('acme', [['email', email]]);
      await untilTask(id, 'acme', 'erased');
      return (await unwrite('receipt', id)).stdout;
    }

    it('verify what they signed, and nothing else, forever', async () => {
      const oldKey = file('old.pem', (await call(`${url()}/receipts/key`)).text);
      const first = file('first.json', await receiptOf('first@example.com'));
      const { key_id, previous_key_id } = await json('audit', 'rotate-key', '--as', 'olga');
      expect(key_id).toMatch(/^[0-9a-f]{64}$/);
      const second = file('second.json', await receiptOf('second@example.com'));
      const newKey = file('new.pem', (await call(`${url()}/receipts/key`)).text);
      const published = await call(`${url()}/receipts/keys`);
      const keys = file('keys.json', published.text);

      const verify = async (receipt: string, key: string) =>
        (await unwrite('receipt', 'verify', receipt, '--key', key)).exitCode;
      expect([await verify(first, oldKey), await verify(second, newKey)]).toEqual([0, 0]);
      expect([await verify(first, newKey), await verify(second, oldKey)]).toEqual([1, 1]);
      expect([await verify(first, keys), await verify(second, keys)]).toEqual([0, 0]);
      expect((await unwrite('receipt', 'verify', first)).exitCode).toBe(0);
      expect(await json('audit', 'verify')).toMatchObject({ ok: true });

      const ids = published.body.keys.map((key: { key_id: string }) => key.key_id);
      expect(ids).toEqual([previous_key_id, key_id]);
      const der = createPublicKey(published.body.keys[1].public_key);
      const hash = createHash('sha256').update(der.export({ format: 'der', type: 'spki' }));
      expect(hash.digest('hex')).toBe(key_id);
      // The private half of the key before is gone.
      expect(await inStore("SELECT name FROM own_secrets WHERE name LIKE 'proof%'")).toHaveLength(
        1,
      );
    });

    it.each<[string, (text: string) => string]>([
      ['another member', (text) => text.replace('"key_no"', '"more":1,"key_no"')],
      ['another member beside the keys', (text) => text.replace('{', '{"more":1,')],
      ['a member twice', (text) => text.replace('"key_no"', '"key_no":1,"key_no"')],
      ['another algorithm', (text) => text.replace('Ed25519', 'RSA')],
      [
        'no key before',
        (text) => text.replace(/"previous_key_id": ?"\w+"/, '"previous_key_id":null'),
      ],
    ])('are not taken from a list with %s', async (_, change) => {
      const { text } = await call(`${url()}/receipts/keys`);
      const keys = file('changed.json', change(text));
      const receipt = `${shop.folder()}/first.json`;
      const { exitCode } = await unwrite('receipt', 'verify', receipt, '--key', keys);
      expect(exitCode).toBe(1);
    });

    it('do not make up for missing heads', async () => {
      const receipt = `${shop.folder()}/first.json`;
      const heads = file('none.jsonl', '');
      const { exitCode, stderr } = await unwrite('receipt', 'verify', receipt, '--heads', heads);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('no head to compare with')]);
    });

    it('do not include a key that the previous key did not sign', async () => {
      const { body } = await call(`${url()}/receipts/keys`);
      const forged = generateKeyPairSync('ed25519').publicKey;
      const pem = forged.export({ format: 'pem', type: 'spki' }).toString();
      const added = { ...body.keys[1], key_no: 3, public_key: pem };
      const keys = file('forged.json', JSON.stringify({ keys: [...body.keys, added] }));
      const receipt = `${shop.folder()}/first.json`;
      const { exitCode, stderr } = await unwrite('receipt', 'verify', receipt, '--key', keys);
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining('key 3 is not signed by the one before it'),
      ]);

      await inStore(
        `INSERT INTO proof_keys (key_no, key_id, public_key, created_time, signature, mac)
         SELECT 3, 'forged', '${pem}', created_time, signature, mac FROM proof_keys WHERE key_no = 2`,
      );
      const after = await json('audit', 'key', '--all');
      expect(after.keys).toHaveLength(2);
      expect(await json('alarms', 'list')).toContainEqual(
        expect.objectContaining({
          kind: 'row_refused',
          message: expect.stringContaining('the proof key forged'),
        }),
      );
    });
  });
}

it('proof keys are replaced by age, by only one node', async () => {
  const folder = makeTemporaryFolder();
  let now = DAY;
  const store = withTestMacs(openSqliteStore(folder.path, () => now));
  const ring = createMasterKeyRing([Buffer.alloc(32, 3)]);
  const sealer = createSecretSealer(ring);
  const one = await loadProofSigner(store, sealer, now);
  const before = one.publicKey;
  const signed = one.sign(Buffer.from('text'));
  const settings = { proofKeyRotation: (30 * DAY) / 1000 };
  now = 30 * DAY;
  await replaceOldProofKey(store, ring, settings);
  expect((await store.proofKeys.proofKeys()).length).toBe(1);
  now = 31 * DAY;
  await Promise.all([1, 2, 3].map(() => replaceOldProofKey(store, ring, settings)));
  const keys = await store.proofKeys.proofKeys();
  expect(keys.map((key) => [key.keyNo, key.createdTime])).toEqual([
    [1, DAY],
    [2, 31 * DAY],
  ]);
  // One that was loaded before signs with the new key after its next refresh, and verifies both.
  await one.withNewestKeys(async () => undefined);
  expect(one.publicKey).not.toBe(before);
  expect(one.verify(keys[0]?.keyId ?? '', Buffer.from('text'), signed)).toBe(true);
  await store.close();
  folder.remove();
});
