import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeServeLock } from '../../../src/store/sqlite/serve-lock.ts';
import { freePort } from '../../helpers/free-port.ts';
import { runBeside } from '../../helpers/run-beside.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';

const DEMO = fileURLToPath(new URL('../../../../../demo/run.ts', import.meta.url));
let folder: TemporaryFolder;
let demo: ChildProcessByStdio<null, Readable, Readable>;

beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => {
  demo.kill('SIGKILL');
  folder.remove();
});

function startDemo(environment: Record<string, string> = {}): void {
  demo = spawn(process.execPath, [DEMO], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('npm run demo', () => {
  it('erases people, shows evidence that agrees with the shop, and leaves all to look at', {
    timeout: 120_000,
  }, async () => {
    const elsewhere = `${folder.path}/elsewhere`;
    const PORT = String(await freePort());
    const config = `${elsewhere}.yaml`;
    startDemo({ UNWRITE_DATA_DIR: elsewhere, UNWRITE_CONFIG: config, HOST: '::1', PORT });
    const ended = once(demo, 'exit');
    const [stdout, stderr] = await Promise.all([text(demo.stdout), text(demo.stderr)]);
    expect([await ended, stderr]).toEqual([[0, null], '']);
    expect(stdout).toContain(`Unwrite serves on http://127.0.0.1:${PORT}\n`);
    expect(stdout).toMatch(
      /held for an operator: over_cap: .*\n {2}\$ npx unwrite task release 1 /,
    );
    expect(stdout).toMatch(/ 290 requests erased\n +10 requests not found\n +300 verified: req/);
    expect(stdout).toMatch(/ 2067 delete {3}orders\n(.*\n)*.*orders +16197 -> 14130 \(2067 gone\)/);
    expect(stdout).toContain('0 of these 300 people are still there.');
    expect(stdout).toContain('unchanged since it was signed');
    expect(stdout).toContain('The audit log is unchanged since it was sealed');
    const summary = stdout.slice(stdout.indexOf('Evidence (no identities'));
    expect(summary.split('\n').length).toBeLessThanOrEqual(25);
    expect(summary).toMatch(/still there\.(.*\n)+Done in /);
    // Nothing that only a terminal can show.
    expect(stdout).not.toMatch(/[\r\u001b█]/);
    expect(existsSync(elsewhere)).toBe(false);

    expect(readdirSync(`${folder.path}/.demo`)).toEqual([
      'data',
      'receipt.json',
      'shop.db',
      'unwrite.config.yaml',
    ]);
    const cwd = `${folder.path}/.demo`;
    const look = await runBeside(['request', 'list', '--attention'], {
      cwd,
      dataDir: `${cwd}/data`,
    });
    expect(look).toEqual({ exitCode: 0, stdout: 'Nothing needs attention.\n', stderr: '' });
  });

  it.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('stops its server too on %s', async (signal, code) => {
    startDemo();
    const errors = text(demo.stderr);
    await once(demo.stdout, 'data');
    const lock = `${folder.path}/.demo/data/serve.lock`;
    await expect.poll(() => existsSync(lock), { timeout: 10_000 }).toBe(true);
    const ended = once(demo, 'exit');
    demo.kill(signal);
    expect([await ended, await errors]).toEqual([[code, null], '']);
    const free = takeServeLock(`${folder.path}/.demo/data`);
    expect(free).toBeDefined();
    free?.release();
  });
});
