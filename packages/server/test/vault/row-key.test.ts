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
  const open = () => makeRowKey({ ownSecrets, rowKeys, rowMacs, sealer, dataDir });
  return { file, open, remember: () => rememberRowKey(dataDir, ownSecrets, sealer) };
}

it('a damaged file does not count as missing', async () => {
  const { file, open, remember } = world();
  for (const text of ['', '{']) {
    writeFileSync(file, text);
    await expect(open()).rejects.toThrow('is damaged');
  }
  rmSync(file);
  await open();
  await remember();
  expect(readFileSync(file, 'utf8')).toContain('row_key');
});
