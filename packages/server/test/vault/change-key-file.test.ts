import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addToKeyFile, removeFromKeyFile } from '../../src/vault/change-key-file.ts';
import { createMasterKey, createMasterKeyRing } from '../../src/vault/master-key.ts';
import { readMasterKeyFile } from '../../src/vault/master-key-file.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';

const first = randomBytes(32);
let folder: TemporaryFolder;
let path: string;

beforeEach(() => {
  folder = makeTemporaryFolder();
  path = join(folder.path, 'master.key');
  writeFileSync(path, `# ours\n${first.toString('hex')}\n`, { mode: 0o640 });
  chmodSync(path, 0o640);
});
afterEach(() => folder.remove());

const idsInFile = () => readMasterKeyFile(path).map((key) => createMasterKey(key).id);

describe('the master key file', () => {
  it('gets a new key before the existing ones, and keeps its comments and its mode', () => {
    const second = addToKeyFile(path);
    const third = addToKeyFile(path);
    expect(idsInFile()).toEqual([third, second, createMasterKey(first).id]);
    expect(readFileSync(path, 'utf8')).toMatch(/^# ours\n/);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder.path)).toEqual(['master.key', 'master.key.lock']);
  });

  it('is changed in the file that a symbolic link points to, and the link stays', () => {
    const elsewhere = join(folder.path, 'elsewhere');
    mkdirSync(elsewhere);
    const file = join(elsewhere, 'key');
    renameSync(path, file);
    symlinkSync(file, path);
    const second = addToKeyFile(path);
    removeFromKeyFile(path, createMasterKey(first).id);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readMasterKeyFile(file).map((key) => createMasterKey(key).id)).toEqual([second]);
    expect(readdirSync(elsewhere)).toEqual(['key', 'key.lock']);
  });

  it('keeps what one process adds while another takes keys out of it', async () => {
    const old = Array.from({ length: 25 }, () => addToKeyFile(path));
    const current = addToKeyFile(path);
    const source = new URL('../../src/vault/change-key-file.ts', import.meta.url).href;
    const run = (body: string) =>
      promisify(execFile)(process.execPath, [
        '--no-warnings',
        '--input-type=module',
        '--eval',
        `import { addToKeyFile, removeFromKeyFile } from ${JSON.stringify(source)};
         const path = ${JSON.stringify(path)};
         ${body}`,
      ]);
    const [added] = await Promise.all([
      run(
        'const ids = []; for (let n = 0; n < 25; n++) ids.push(addToKeyFile(path)); console.log(ids.join());',
      ),
      run(`for (const id of ${JSON.stringify(old)}) removeFromKeyFile(path, id);`),
    ]);
    const ids = added.stdout.trim().split(',');
    expect(ids).toHaveLength(25);
    expect(idsInFile()).toEqual([...ids.toReversed(), current, createMasterKey(first).id]);
  });

  it('loses a key that is destroyed, and never the current one', () => {
    const second = addToKeyFile(path);
    expect(() => removeFromKeyFile(path, second)).toThrow(/is the current master key/);
    removeFromKeyFile(path, createMasterKey(first).id);
    removeFromKeyFile(path, createMasterKey(first).id);
    expect(idsInFile()).toEqual([second]);
    expect(readFileSync(path, 'utf8')).not.toContain(first.toString('hex'));
  });

  it('leaves no draft of a process that died on its way', () => {
    writeFileSync(`${path}.0123456789ab.new`, first.toString('hex'));
    writeFileSync(`${path}.backup`, first.toString('hex'));
    addToKeyFile(path);
    expect(readdirSync(folder.path)).toEqual([
      'master.key',
      'master.key.backup',
      'master.key.lock',
    ]);
  });

  it('keeps its owner when another one changes it', () => {
    if (process.getuid?.() !== 0) return;
    chownSync(path, 12_345, 23_456);
    addToKeyFile(path);
    expect(statSync(path)).toMatchObject({ uid: 12_345, gid: 23_456 });
  });

  it('says what to do if it cannot be replaced, and is not changed', () => {
    if (process.getuid?.() === 0) return;
    const before = readFileSync(path, 'utf8');
    chmodSync(folder.path, 0o500);
    try {
      expect(() => addToKeyFile(path)).toThrow(/cannot be replaced \(EACCES\); change it where/);
    } finally {
      chmodSync(folder.path, 0o700);
    }
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});

describe('a ring of master keys', () => {
  it('looks for an unknown key in the source of the keys, and seals with the new one', () => {
    const ring = createMasterKeyRing(readMasterKeyFile(path), () => readMasterKeyFile(path));
    const second = addToKeyFile(path);
    expect(ring.current.id).toBe(createMasterKey(first).id);
    expect(ring.byId(second)?.id).toBe(second);
    expect(ring.current.id).toBe(second);
    expect(ring.byId('0123456789abcdef')).toBeUndefined();
  });
});
