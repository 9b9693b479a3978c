import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeDurably } from '../../src/files/write-durably.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const MODULE = new URL('../../src/files/write-durably.ts', import.meta.url).href;

function folderHere(): string {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

// The limit lets the first write end early, as an almost full disk does.
it.skipIf(!existsSync('/bin/sh'))('a file that was written in part replaces nothing', () => {
  const path = join(folderHere(), 'master.key');
  writeFileSync(path, 'whole');
  const code = `import(${JSON.stringify(MODULE)}).then(({ writeDurably }) =>
    writeDurably(process.argv[1], 'x'.repeat(5000)))`;
  const limited = `trap '' XFSZ; ulimit -f 2; exec "$0" -e "$1" "$2"`;
  const { status } = spawnSync('/bin/sh', ['-c', limited, process.execPath, code, path]);
  expect(status).not.toBe(0);
  expect(readFileSync(path, 'utf8')).toBe('whole');
});

it('leaves no other file behind if it fails', () => {
  const folder = folderHere();
  const path = join(folder, 'taken');
  mkdirSync(path);
  expect(() => writeDurably(path, 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});
