import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createHeadFile } from '../../src/restore/head-file.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

it('a folder in the place of the file is moved aside, even if there was one before', () => {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder.remove());
  const headFile = createHeadFile(folder.path);
  const path = join(folder.path, 'audit-head.json');
  const head = { headNo: 3, hash: 'ab'.repeat(32), time: 0 };
  writeFileSync(path, '');
  headFile.settle(head);
  rmSync(path);
  mkdirSync(path);
  expect(headFile.read()).toEqual({ heads: [], unreadable: ['audit-head.json'] });
  headFile.settle(head);
  expect(headFile.read()).toEqual({ heads: [head], unreadable: [] });
  expect(readdirSync(folder.path).sort()).toEqual([
    'audit-head.json',
    'audit-head.json.damaged',
    'audit-head.json.damaged-2',
  ]);
});

it.each([
  ['is empty', ''],
  ['was cut off', '{"head_no": 7, "ha'],
  ['has no number', `{"head_no": "7", "hash": "${'ab'.repeat(32)}"}`],
  ['has no hash', '{"head_no": 7, "hash": "ab"}'],
])('a file that %s is unreadable, not missing', (_, text) => {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder.remove());
  writeFileSync(join(folder.path, 'audit-head.json'), text);
  const headFile = createHeadFile(folder.path);
  expect(headFile.read()).toEqual({ heads: [], unreadable: ['audit-head.json'] });
});

it('the file has the newest restore that was known with the head', () => {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder.remove());
  const headFile = createHeadFile(folder.path);
  const head = { headNo: 3, hash: 'ab'.repeat(32), time: 0, lastRestoreNo: 2 };
  headFile.write(head);
  expect(headFile.read().heads).toEqual([head]);
});

it.skipIf(process.platform === 'win32')(
  'a pipe in the place of the file cannot be read, and nothing waits for its other end',
  () => {
    const folder = makeTemporaryFolder();
    onTestFinished(() => folder.remove());
    execFileSync('mkfifo', [join(folder.path, 'audit-head.json')]);
    const headFile = createHeadFile(folder.path);
    expect(headFile.read()).toEqual({ heads: [], unreadable: ['audit-head.json'] });
  },
);
