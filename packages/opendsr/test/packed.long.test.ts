// The command as it is published: packed, installed in an empty project, and run there.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npm, packInto, ROOT, run } from '../../client/test/packed/pack.ts';
import { makeTemporaryFolder } from '../../server/test/helpers/temporary-folder.ts';
import { type MemoryProcessor, startMemoryProcessor } from './helpers/processor.ts';

const folder = makeTemporaryFolder();
const project = folder.path;
const bin = join(project, 'node_modules/opendsr/dist/main.js');
let processor: MemoryProcessor;
let tarball: string;

beforeAll(async () => {
  tarball = packInto(project, 'opendsr');
  writeFileSync(join(project, 'package.json'), '{"private": true}');
  npm(project, 'install', '--ignore-scripts', tarball);
  processor = await startMemoryProcessor();
}, 300_000);
afterAll(async () => {
  await processor.close();
  folder.remove();
});

const opendsr = (...args: string[]) => {
  const env = { PATH: process.env.PATH ?? '', ...processor.environment };
  return promisify(execFile)(process.execPath, [bin, ...args], { cwd: project, env });
};

describe('the packed command', () => {
  it('needs nothing of the server, and not even the SDK', () => {
    const { dependencies } = JSON.parse(
      readFileSync(join(project, 'node_modules/opendsr/package.json'), 'utf8'),
    );
    expect(Object.keys(dependencies)).toEqual(['commander']);
    expect(existsSync(join(project, 'node_modules/@unwrite'))).toBe(false);
    const publint = join(ROOT, 'node_modules/publint/src/cli.js');
    expect(run(process.execPath, [publint, tarball, '--strict'], project)).toMatch(/All good/);
  });

  it('is on the path of npx, and knows its version', () => {
    expect(run('npx', ['opendsr', '--version'], project).trim()).toBe('0.1.0');
  });

  it('submits a file and checks a processor', async () => {
    writeFileSync(join(project, 'people.csv'), 'email\na@x.test\nb@x.test\n');
    const args = ['--file', 'people.csv', '--regulation', 'gdpr', '--submitted-time', 'now'];
    expect((await opendsr('submit', ...args)).stdout).toContain('2 of 2 people are submitted');
    expect((await opendsr('conformance')).stdout).toContain('0 MUST not kept');
  });
});
