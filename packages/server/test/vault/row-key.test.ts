import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { makeRowKey, rememberRowKey } from '../../src/vault/row-key.ts';
import { createSecretSealer } from '../../src/vault/seal-secret.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

function world() {
  const folder = makeTemporaryFolder();
  const store = openSqliteStore(folder.path, () => 0);
  const sealer = createSecretSealer(createMasterKeyRing([randomBytes(32)]));
  onTestFinished(async () => {
    await store.close();
    folder.remove();
  });
  const { ownSecrets, rowKeys, rowMacs } = store;
  const dataDir = folder.path;
  const file = join(dataDir, 'row-key.json');
  const open = () => makeRowKey({ ownSecrets, rowKeys, rowMacs, sealer, dataDir, now: 0 });
  return { file, open, remember: () => rememberRowKey(dataDir, ownSecrets, sealer) };
}

it('an empty file is written again if the store has the key', async () => {
  const { file, open, remember } = world();
  await open();
  await remember();
  const known = readFileSync(file, 'utf8');
  writeFileSync(file, '');
  await open();
  await remember();
  expect(readFileSync(file, 'utf8')).toBe(known);
});

it('an empty file does not count as missing if the store has no key, and a damaged one never does', async () => {
  const { file, open } = world();
  writeFileSync(file, '');
  await expect(open()).rejects.toThrow('is missing in the store');
  rmSync(file);
  await open();
  writeFileSync(file, '{');
  await expect(open()).rejects.toThrow('is damaged');
});
