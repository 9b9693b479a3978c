import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VaultKeyStore } from '../../src/domain/keys/secret-ports.ts';
import { loadVaultKeys, MasterKeyProblem } from '../../src/vault/load-keys.ts';
import { createMasterKeyRing, parseMasterKey } from '../../src/vault/master-key.ts';
import { makeMasterKeyFile } from '../../src/vault/master-key-file.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';

let folder: TemporaryFolder;
let masterKeyFile: string;

beforeEach(() => {
  folder = makeTemporaryFolder();
  masterKeyFile = join(folder.path, 'master.key');
});
afterEach(() => folder.remove());

/** A store that has seen these master keys. */
function storeOf(...keys: Uint8Array[]) {
  const ids = keys.map((key) => createMasterKeyRing([key]).current.id);
  const store: VaultKeyStore = {
    masterKeyIds: async () => ids,
    addMasterKeys: async (id) => void (ids.includes(id) || ids.push(id)),
    async addFirstMasterKey(id) {
      if (ids.length === 0) ids.push(id);
      return ids.includes(id);
    },
  };
  return { ...store, ids };
}

function load(store: VaultKeyStore, masterKey?: string) {
  return loadVaultKeys({ masterKey, masterKeyFile }, store, () => 0);
}

describe('the master key', () => {
  it('may be written in hexadecimal, base64 or base64url, and is the same key', () => {
    const key = randomBytes(32);
    const base64 = key.toString('base64');
    for (const text of [key.toString('hex'), base64, `${base64}\n`, key.toString('base64url')]) {
      expect(Buffer.from(parseMasterKey(text) ?? []).equals(key)).toBe(true);
    }
  });

  it.each(['', 'secret', 'ab'.repeat(31), 'ab'.repeat(33), `${'A'.repeat(42)}!`, 'zz'.repeat(32)])(
    'is refused as %j',
    (text) => {
      expect(parseMasterKey(text)).toBeUndefined();
    },
  );

  it('is made on the first start, readable only by its owner, and never made again', async () => {
    const store = storeOf();
    const first = await load(store);
    if (process.platform !== 'win32') expect(statSync(masterKeyFile).mode & 0o777).toBe(0o600);
    const content = readFileSync(masterKeyFile, 'utf8');
    const second = await load(store);
    expect(readFileSync(masterKeyFile, 'utf8')).toBe(content);
    expect(second.ring.current.id).toBe(first.ring.current.id);
    expect(store.ids).toEqual([first.ring.current.id]);
  });

  it('leaves nothing but its file behind, and the first one wins', () => {
    makeMasterKeyFile(masterKeyFile);
    const content = readFileSync(masterKeyFile, 'utf8');
    expect(() => makeMasterKeyFile(masterKeyFile)).toThrow(/EEXIST/);
    expect(readFileSync(masterKeyFile, 'utf8')).toBe(content);
    expect(readdirSync(folder.path)).toEqual(['master.key']);
  });

  it('is not made when the store needs one that is missing', async () => {
    const store = storeOf(randomBytes(32));
    await expect(load(store)).rejects.toThrow(MasterKeyProblem);
    await expect(load(store)).rejects.toThrow(`the master key file ${masterKeyFile} is missing`);
  });

  it('is refused when it is not the one of the store, by name and without being shown', async () => {
    const [right, wrong] = [randomBytes(32), randomBytes(32)];
    const store = storeOf(right);
    const problem = await load(store, wrong.toString('base64')).catch((error: Error) => error);
    const message = problem instanceof MasterKeyProblem ? problem.message : 'it was not refused';
    expect(message).toMatch(/is not the one that this store was made with/);
    expect(message).toContain(store.ids[0]);
    expect(message).not.toContain(wrong.toString('base64'));
  });

  it('is refused with the name of another one that the store uses, and what to do about it', async () => {
    const [own, other] = [randomBytes(32), randomBytes(32)];
    const store = storeOf(own);
    store.ids.push(...storeOf(other).ids);
    const problem = await load(store, own.toString('base64')).catch((error: Error) => error);
    const message = problem instanceof MasterKeyProblem ? problem.message : 'it was not refused';
    expect(message).toContain(`also uses the master key ${store.ids[1]}, which`);
    expect(message).toContain('remove it from the table master_keys');
    expect(message).not.toContain(store.ids[0]);
  });

  it('is refused when another node was first with one for a new store', async () => {
    const store = storeOf();
    const [first] = storeOf(randomBytes(32)).ids;
    const beside: VaultKeyStore = {
      ...store,
      // It records its key between our two questions.
      addFirstMasterKey(id, time) {
        store.ids.push(first ?? '');
        return store.addFirstMasterKey(id, time);
      },
    };
    await expect(load(beside, randomBytes(32).toString('hex'))).rejects.toThrow(MasterKeyProblem);
    expect(store.ids).toEqual([first]);
  });

  it('wins over the file when it is given', async () => {
    const given = randomBytes(32);
    writeFileSync(masterKeyFile, randomBytes(32).toString('hex'));
    const { ring } = await load(storeOf(given), given.toString('hex'));
    expect(ring.current.id).toBe(createMasterKeyRing([given]).current.id);
  });

  it('is the first of several in the file; comments and empty lines do not count', async () => {
    const [current, earlier] = [randomBytes(32), randomBytes(32)];
    const lines = ['# comment', '', current.toString('base64'), ` ${earlier.toString('hex')} `];
    writeFileSync(masterKeyFile, lines.join('\r\n'));
    const store = storeOf(earlier);
    const { ring } = await load(store);
    expect(ring.current.id).toBe(createMasterKeyRing([current]).current.id);
    expect(store.ids).toContain(ring.current.id);
    expect(ring.byId(store.ids[0] ?? '')).toBeDefined();
  });

  it.each([
    ['malformed', 'not a key', /key 1 in .* is not 32 bytes/],
    ['empty', '# nothing here\n', /holds no key/],
  ])('is refused when its file is %s', async (_, content, message) => {
    writeFileSync(masterKeyFile, content);
    await expect(load(storeOf())).rejects.toThrow(message);
    await expect(load(storeOf())).rejects.toThrow(MasterKeyProblem);
  });

  it.skipIf(process.getuid?.() === 0)('is refused when its file cannot be read', async () => {
    writeFileSync(masterKeyFile, randomBytes(32).toString('hex'));
    chmodSync(masterKeyFile, 0o000);
    await expect(load(storeOf())).rejects.toThrow(MasterKeyProblem);
  });
});
