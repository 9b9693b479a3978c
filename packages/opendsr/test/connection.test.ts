import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../server/test/helpers/temporary-folder.ts';
import { type MemoryProcessor, startMemoryProcessor } from './helpers/processor.ts';
import { opendsr, type RunOptions } from './helpers/run.ts';

const folder = makeTemporaryFolder();
const ID = 'a7551968-d5d6-44b2-9831-815ac9017798';
let processor: MemoryProcessor;
let profile: Record<string, string>;
beforeAll(async () => {
  processor = await startMemoryProcessor();
  mkdirSync(join(folder.path, '.config/opendsr'), { recursive: true });
});
afterAll(async () => {
  await processor.close();
  folder.remove();
});
beforeEach(() => {
  const entries = Object.entries(processor.environment);
  profile = Object.fromEntries(
    entries.map(([name, value]) => [name.replace('OPENDSR_', '').toLowerCase(), value]),
  );
});

const FILE = join(folder.path, '.config/opendsr/profiles.json');
function write(value: unknown, mode = 0o600): void {
  writeFileSync(FILE, typeof value === 'string' ? value : JSON.stringify(value));
  chmodSync(FILE, mode);
}
const run = (args: readonly string[] = [], options: Partial<RunOptions> = {}) =>
  opendsr(['status', ID, ...args], { cwd: folder.path, home: folder.path, ...options });
/** The processor answered: it does not know the request. */
const reached = expect.objectContaining({ stdout: expect.stringContaining('not_found') });

describe('credentials', () => {
  it('come from the environment', async () => {
    expect(await run([], { env: processor.environment })).toEqual(reached);
  });

  it('come from a profile in the home folder, or in a file that is named', async () => {
    write({ acme: profile });
    expect(await run(['--profile', 'acme'])).toEqual(reached);
    const env = { OPENDSR_PROFILE: 'acme', OPENDSR_PROFILES: FILE };
    expect(await run([], { env, home: '/nonexistent' })).toEqual(reached);
  });

  it('come from a file with the secret', async () => {
    const { OPENDSR_CLIENT_SECRET: secret = '', ...env } = processor.environment;
    writeFileSync(join(folder.path, 'secret'), `${secret}\n`);
    expect(await run([], { env: { ...env, OPENDSR_CLIENT_SECRET_FILE: 'secret' } })).toEqual(
      reached,
    );
  });

  it('of other kinds are sent as they are', async () => {
    const { OPENDSR_BASE_URL: base = '' } = processor.environment;
    const { stdout } = await run(['--base-url', base], {
      env: { OPENDSR_AUTHORIZATION: 'Basic abc' },
    });
    expect(stdout).toContain('unauthorized');
    expect(processor.calls.at(-1)?.headers.authorization).toBe('Basic abc');
  });

  it.each([[['--client-secret', 'hunter2']], [['--client-secret=hunter2']]])(
    'are never a flag, and not repeated: %j',
    async (args) => {
      const { exitCode, stderr } = await run(args, { env: processor.environment });
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining("unknown option '--client-secret'"),
      ]);
    },
  );

  it('that are missing are named', async () => {
    const env = { OPENDSR_BASE_URL: 'https://a.test', OPENDSR_CLIENT_ID: 'x' };
    expect((await run([], { env })).stderr).toBe(
      'opendsr: credentials are missing: set OPENDSR_TOKEN_URL, OPENDSR_CLIENT_SECRET, OPENDSR_AUDIENCE, or use a profile\n',
    );
    expect((await run()).stderr).toContain('which processor?');
  });

  it('are not sent by http beyond this machine', async () => {
    const { exitCode, stderr } = await run(['--base-url', 'http://a.test'], {
      env: processor.environment,
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('begins with http:')]);
  });
});

describe('a file of profiles', () => {
  it.each([0o640, 0o604, 0o620, 0o666])('with the mode %o is refused', async (mode) => {
    write({ acme: profile }, mode);
    const { exitCode, stderr } = await run(['--profile', 'acme']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`mode ${mode.toString(8)}`)]);
    expect(stderr).toContain('chmod 600');
  });

  it.each([
    ['is missing', undefined, 'acme', /cannot be read \(ENOENT\)/],
    ['is no JSON', '{', 'acme', /is not valid JSON/],
    ['has no such profile', { acme: {}, globex: {} }, 'initech', /it has: acme, globex/],
    ['has none of them', {}, 'constructor', /has no profile constructor; it has: none/],
    ['has an unknown member', { acme: { secret: 'x' } }, 'acme', /not known, "secret"/],
    ['has a number', { acme: { client_id: 7 } }, 'acme', /client_id of acme must be a string/],
  ])('that %s is explained', async (_, value, name, message) => {
    const file = value === undefined ? '/nonexistent' : FILE;
    if (value !== undefined) write(value);
    const { exitCode, stderr } = await run(['--profile', name, '--profiles', file]);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
