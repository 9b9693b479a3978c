import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeDurableStream } from '../../src/files/durable-stream.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const folder = makeTemporaryFolder();
afterAll(() => folder.remove());

it('gives a file its name when it is whole, and only its owner can read it', async () => {
  const path = join(folder.path, 'one');
  const stream = await writeDurableStream(path);
  await stream.write('half, ');
  expect(existsSync(path)).toBe(false);
  await stream.write('whole');
  await stream.finish();
  expect(readFileSync(path, 'utf8')).toBe('half, whole');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(['one']);
});

it('leaves nothing of what is discarded, and a file of that name as it was', async () => {
  const path = join(folder.path, 'one');
  writeFileSync(path, 'before');
  const stream = await writeDurableStream(path);
  await stream.write('cut off');
  await stream.discard();
  expect(readdirSync(folder.path)).toEqual(['one']);
  expect(readFileSync(path, 'utf8')).toBe('before');
});
