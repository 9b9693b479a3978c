import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { createZip } from '../../src/files/zip.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { unzip } from '../helpers/unzip.ts';

async function makeZip() {
  const folder = makeTemporaryFolder();
  const chunks: Uint8Array[] = [];
  const zip = await createZip(folder.path, Date.parse('2026-11-15T12:00:00Z'), async (bytes) => {
    chunks.push(bytes);
  });
  onTestFinished(async () => {
    await zip.close();
    folder.remove();
  });
  return { zip, folder: folder.path, read: () => unzip(Buffer.concat(chunks)), chunks };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

it('has what was added at once and what grew meanwhile, with the hashes that were answered', async () => {
  const { zip, read, folder } = await makeZip();
  const list = await zip.grow('list.csv');
  const line = 'José, ✓, 12345\r\n';
  let text = '';
  for (let n = 0; n < 9000; n++) {
    await list.write(line);
    text += line;
    if (n % 3000 === 0)
      expect(await zip.add(`a/${n}.json`, `{"n":${n}}`)).toBe(hashOf(`{"n":${n}}`));
  }
  const empty = await zip.grow('empty.csv');
  expect(await empty.end()).toBe(hashOf(''));
  expect(await list.end()).toBe(hashOf(text));
  // What waits is in files that have no names.
  expect(readdirSync(folder)).toEqual([]);
  await zip.end();
  const files = read();
  expect([...files.keys()]).toEqual([
    'a/0.json',
    'a/3000.json',
    'a/6000.json',
    'empty.csv',
    'list.csv',
  ]);
  expect(files.get('list.csv')?.toString()).toBe(text);
  expect(files.get('a/3000.json')?.toString()).toBe('{"n":3000}');
});

it('has more entries than the first format could count', async () => {
  const { zip, read } = await makeZip();
  for (let n = 0; n < 66_000; n++) await zip.add(`${n}.json`, String(n));
  await zip.end();
  const files = read();
  expect(files.size).toBe(66_000);
  expect(files.get('65999.json')?.toString()).toBe('65999');
});

it('cannot be read where it was cut off', async () => {
  const { zip, read } = await makeZip();
  await zip.add('a.json', '{}');
  expect(read).toThrow(/cut off/);
});
