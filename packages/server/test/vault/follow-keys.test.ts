// A running server, its writer, and a command that changes the master keys.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { addToKeyFile, removeFromKeyFile } from '../../src/vault/change-key-file.ts';
import { createFollowKeys, type FollowKeysParts } from '../../src/vault/follow-keys.ts';
import { loadVaultKeys, type VaultKeys } from '../../src/vault/load-keys.ts';
import { createMasterKey } from '../../src/vault/master-key.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeStoreFolder } from '../helpers/stores/store-folder.ts';
import type { TemporaryFolder } from '../helpers/temporary-folder.ts';

let folder: TemporaryFolder;
let masterKeyFile: string;
let store: SqliteStore;
let vaultKeys: VaultKeys;
let now: number;
/** What the writer was handed, by the id of the first one. */
let handed: string[];
let takes: boolean;
let warnings: string[];
let follow: () => Promise<void>;

beforeEach(async () => {
  folder = await makeStoreFolder();
  masterKeyFile = join(folder.path, 'master.key');
  store = withTestMacs(openSqliteStore(folder.path, () => 0));
  vaultKeys = await loadVaultKeys(
    { masterKey: undefined, masterKeyFile },
    store.vaultKeys,
    () => 0,
  );
  now = 100;
  handed = [];
  takes = true;
  warnings = [];
  follow = followWith({});
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

/** As the server of this test does it, except for what is given. */
function followWith(changes: Partial<FollowKeysParts>) {
  return createFollowKeys({
    masterKeys: store.masterKeys.masterKeys,
    adopt: store.masterKeys.adopt,
    vaultKeys,
    passToSealer: async ([first]) => {
      handed.push(first === undefined ? '' : createMasterKey(first).id);
      return takes;
    },
    clock: () => now,
    warn: (_, message) => void warnings.push(message),
    tellLost: ({ message }) => void warnings.push(message),
    tellFailure: (error) => void warnings.push(String(error)),
    ...changes,
  });
}

/** Returns where a copy of the file is. */
function replaceByForeign(foreign = randomBytes(32)): string {
  const copy = join(folder.path, 'copy.key');
  writeFileSync(copy, readFileSync(masterKeyFile));
  writeFileSync(masterKeyFile, foreign.toString('hex'));
  return copy;
}

const adoptedTimes = async () =>
  Object.fromEntries(
    (await store.masterKeys.masterKeys()).map((key) => [key.masterKeyId, key.adoptedTime]),
  );
const rotate = () =>
  store.masterKeys.add(() => addToKeyFile(masterKeyFile), { actor: 'operator:olga', now });

describe('following the master keys', () => {
  it('adopts the key that the server starts with, once', async () => {
    const { id } = vaultKeys.ring.current;
    await follow();
    now = 200;
    await follow();
    expect(await adoptedTimes()).toEqual({ [id]: 100 });
    expect(handed).toEqual([id]);
  });

  it('hands a new key to the writer, and adopts it when the writer has taken it', async () => {
    const first = vaultKeys.ring.current.id;
    await follow();
    const second = await rotate();
    takes = false;
    await follow();
    expect(await adoptedTimes()).toEqual({ [first]: 100, [second]: null });
    takes = true;
    now = 300;
    await follow();
    expect(await adoptedTimes()).toEqual({ [first]: 100, [second]: 300 });
    expect(handed).toEqual([first, second, second]);
    expect(vaultKeys.ring.current.id).toBe(second);
  });

  it('removes a key that was destroyed', async () => {
    const first = vaultKeys.ring.current.id;
    await rotate();
    await follow();
    expect(vaultKeys.masterKeys).toHaveLength(2);
    const remove = () => removeFromKeyFile(masterKeyFile, first);
    await store.masterKeys.destroy(first, remove, { actor: 'operator:olga', now });
    await follow();
    expect(vaultKeys.masterKeys).toHaveLength(1);
    expect(vaultKeys.ring.byId(first)).toBeUndefined();
  });

  it('continues with the keys it has if the file cannot be read, and says so once', async () => {
    await follow();
    await rotate();
    const content = vaultKeys.masterKeys.map((key) => Buffer.from(key).toString('hex'));
    rmSync(masterKeyFile);
    await follow();
    await follow();
    expect(warnings).toEqual(['the master keys were changed and cannot be read']);
    expect(handed).toHaveLength(1);
    writeFileSync(masterKeyFile, [randomBytes(32).toString('hex'), ...content].join('\n'));
    await follow();
    expect(handed).toHaveLength(2);
    expect(warnings.at(-1)).toContain('a command has used a master key that this server does not');
  });

  it('takes an earlier key up again if the operator puts it first', async () => {
    const first = vaultKeys.ring.current.id;
    await follow();
    const [firstKey] = vaultKeys.masterKeys;
    const second = await rotate();
    now = 200;
    await follow();
    await store.masterKeys.retire(first, 250);
    writeFileSync(
      masterKeyFile,
      [firstKey, vaultKeys.masterKeys[0]]
        .map((key) => Buffer.from(key ?? []).toString('hex'))
        .join('\n'),
    );
    now = 300;
    // As a server that is started then.
    vaultKeys.reload();
    await followWith({})();
    expect(await adoptedTimes()).toEqual({ [first]: 300, [second]: 200 });
    expect((await store.vaultKeys.masterKeyIds()).toSorted()).toEqual([first, second].toSorted());
  });

  it('does not take its earlier key up again while its copy of the file lacks the key that another node has adopted', async () => {
    const first = vaultKeys.ring.current.id;
    await follow();
    const copy = join(folder.path, 'copy.key');
    writeFileSync(copy, readFileSync(masterKeyFile));
    const second = await store.masterKeys.add(() => addToKeyFile(copy), { actor: 'x', now });
    await store.masterKeys.adopt(second, 200);
    await store.masterKeys.retire(first, 250);
    now = 300;
    for (let look = 0; look < 3; look++) await follow();
    expect(vaultKeys.lacking).toBe(second);
    expect(await adoptedTimes()).toEqual({ [first]: 100, [second]: 200 });
    expect(warnings).toEqual([expect.stringContaining('this server does not have')]);

    writeFileSync(masterKeyFile, readFileSync(copy));
    await follow();
    expect(vaultKeys.lacking).toBeUndefined();
    expect(vaultKeys.ring.current.id).toBe(second);
    expect(handed.at(-1)).toBe(second);
    expect(await adoptedTimes()).toEqual({ [first]: 100, [second]: 200 });
  });

  it('says once that the store cannot be read, until it can be read again', async () => {
    let isAway = true;
    const told: unknown[] = [];
    const look = followWith({
      masterKeys: () =>
        isAway ? Promise.reject(new Error('away')) : store.masterKeys.masterKeys(),
      tellFailure: (error) => void told.push(error),
    });
    for (const away of [true, true, false, true, true]) {
      isAway = away;
      await look();
    }
    expect(told).toHaveLength(2);
  });

  it('says once that the file lost a key that the store needs, while the server still has it', async () => {
    const first = readFileSync(masterKeyFile);
    await follow();
    const second = await rotate();
    await follow();
    const whole = readFileSync(masterKeyFile);
    const lost = new RegExp(`only this running server has the master key .*${second}`);
    // As a tool that puts its old copy back.
    for (const content of [first, '']) {
      warnings = [];
      writeFileSync(masterKeyFile, content);
      for (let look = 0; look < 4; look++) await follow();
      expect(warnings).toEqual([expect.stringMatching(lost)]);
      writeFileSync(masterKeyFile, whole);
      await follow();
    }
    expect(vaultKeys.ring.current.id).toBe(second);
    expect(warnings).toHaveLength(1);
  });

  it('keeps the key that only it has when a command rotates the keys in another copy of the file', async () => {
    await follow();
    const { current } = vaultKeys.ring;
    const foreign = randomBytes(32);
    const copy = replaceByForeign(foreign);
    await store.masterKeys.add(() => addToKeyFile(copy), { actor: 'operator:olga', now });
    for (let look = 0; look < 4; look++) await follow();
    expect(vaultKeys.ring.current.id).toBe(current.id);
    expect(vaultKeys.masterKeys).toHaveLength(1);
    expect(await store.vaultKeys.masterKeyIds()).not.toContain(createMasterKey(foreign).id);
    const lost = `only this running server has the master key ${current.id}`;
    expect(warnings).toEqual([
      'the master keys were changed and cannot be read',
      expect.stringContaining(lost),
    ]);
    writeFileSync(masterKeyFile, readFileSync(copy));
    await follow();
    expect(vaultKeys.masterKeys).toHaveLength(2);
    expect(warnings).toHaveLength(2);
  });

  it('takes no foreign key up after other nodes have replaced and retired the only one that it has', async () => {
    await follow();
    const { current } = vaultKeys.ring;
    const copy = replaceByForeign();
    const second = await store.masterKeys.add(() => addToKeyFile(copy), { actor: 'a', now });
    await store.masterKeys.adopt(second, 200);
    await store.masterKeys.retire(current.id, 250);
    for (let look = 0; look < 3; look++) await follow();
    expect(vaultKeys.ring.current.id).toBe(current.id);
    expect(await store.vaultKeys.masterKeyIds()).toEqual([second]);
    writeFileSync(masterKeyFile, readFileSync(copy));
    await follow();
    expect(vaultKeys.ring.current.id).toBe(second);
  });

  it('keeps its keys when it looks for another one in a file that was replaced by a foreign one', async () => {
    const { current } = vaultKeys.ring;
    replaceByForeign();
    expect(vaultKeys.ring.byId('0123456789abcdef')).toBeUndefined();
    expect(vaultKeys.ring.current).toBe(current);
    expect(vaultKeys.masterKeys.map((key) => createMasterKey(key).id)).toEqual([current.id]);
  });

  it('says nothing about a file that was empty for a moment', async () => {
    await follow();
    const content = readFileSync(masterKeyFile);
    writeFileSync(masterKeyFile, '');
    await follow();
    writeFileSync(masterKeyFile, content);
    for (let look = 0; look < 3; look++) await follow();
    expect(warnings).toEqual([]);
  });
});
