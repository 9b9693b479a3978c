// A master key that a power cut takes away takes every identity sealed under it along.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addToKeyFile, removeFromKeyFile } from '../../src/vault/change-key-file.ts';
import { createMasterKey } from '../../src/vault/master-key.ts';
import { makeMasterKeyFile } from '../../src/vault/master-key-file.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { watchFileCalls } from '../helpers/watch-file-calls.ts';

let folder: TemporaryFolder;
let path: string;

beforeEach(() => {
  folder = makeTemporaryFolder();
  path = join(folder.path, 'master.key');
});
afterEach(() => folder.remove());

const callsOf = (work: () => void) =>
  watchFileCalls(folder.path, (name) => (name.endsWith('.new') ? 'draft' : name), work);

const REPLACED = [
  'write draft',
  'sync draft',
  'rename draft to master.key',
  ...(process.platform === 'win32' ? [] : ['sync folder']),
];

describe('a master key file', () => {
  it('is synced before it gets its name, and its folder after that, when it is made', () => {
    expect(callsOf(() => makeMasterKeyFile(path))).toEqual([
      'write draft',
      'sync draft',
      'link draft as master.key',
      ...(process.platform === 'win32' ? [] : ['sync folder']),
    ]);
  });

  it('is synced before it replaces the old one, and its folder after that, when keys change', () => {
    const first = randomBytes(32);
    writeFileSync(path, `${first.toString('hex')}\n`);
    expect(callsOf(() => void addToKeyFile(path))).toEqual(REPLACED);
    expect(callsOf(() => removeFromKeyFile(path, createMasterKey(first).id))).toEqual(REPLACED);
  });
});
