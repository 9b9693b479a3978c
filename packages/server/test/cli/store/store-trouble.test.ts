import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runHere } from '../run-here.ts';
import { useInstallation } from '../use-installation.ts';

const { unwrite, json, options } = useInstallation('sqlite');

describe('unwrite migrate', () => {
  it('says what waits, applies it once, and says so', async () => {
    const { waiting } = await json('migrate', 'status');
    expect(waiting.length).toBeGreaterThan(0);
    expect(await json('migrate', '--yes')).toEqual({ migrated: waiting });
    expect(await json('migrate', 'status')).toEqual({
      applied: waiting,
      waiting: [],
      newer: [],
    });
    expect((await unwrite('migrate')).stdout).toBe('The store is up to date.\n');
    expect((await unwrite('migrate', 'status')).stdout).toMatch(/^applied: .*\nwaiting: none\n$/);
  });
});

describe('a store that cannot be used', () => {
  it.each(['client list', 'migrate --yes', 'serve'])(
    '%s: a file where the folder should be',
    async (command) => {
      const path = `${options().dataDir}-file`;
      writeFileSync(path, '');
      const { exitCode, stderr } = await unwrite(...command.split(' '), '--data-dir', path);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^unwrite: .*\n$/);
      expect(stderr).toContain(path);
    },
  );

  it.each(['client list', 'migrate --yes', 'serve'])(
    '%s: a file that is not a database',
    async (command) => {
      const path = `${options().dataDir}-other`;
      mkdirSync(path, { recursive: true });
      writeFileSync(`${path}/unwrite.db`, 'This is a letter to my aunt. '.repeat(100));
      const { exitCode, stderr } = await unwrite(...command.split(' '), '--data-dir', path);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^unwrite: .*not a database.*\n$/);
    },
  );

  it('request list: a folder without a store is not changed', async () => {
    const path = `${options().dataDir}-nowhere`;
    const { exitCode, stderr } = await unwrite('request', 'list', '--data-dir', path);
    expect([exitCode, stderr]).toEqual([
      1,
      `unwrite: there is no store in ${path}; check --data-dir (UNWRITE_DATA_DIR), or make one with "unwrite client create"\n`,
    ]);
    expect(existsSync(path)).toBe(false);
  });
});

const OF_OPERATORS = [
  'request list --attention',
  'request show x',
  'request start x',
  'request retry x',
  'request identify x --email a@example.com',
  'task list',
  'task release 1',
  'task retain 1 --reason x --legal-basis y',
  'manual list',
  'manual confirm 1 --note x',
  'preview --request x',
];

describe.each(OF_OPERATORS)('unwrite %s', (line) => {
  it('does not create a store', async () => {
    const path = `${options().dataDir}-nowhere`;
    const { exitCode, stderr } = await runHere([...line.split(' '), '--data-dir', path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`there is no store in ${path}; check --data-dir`);
    expect(existsSync(path)).toBe(false);
  });

  it('ends with 78 when the settings are wrong, in words or in JSON', async () => {
    const wrong = [...line.split(' '), '--cancellation-window', 'soon'];
    const { exitCode, stderr } = await runHere(wrong);
    expect(stderr).toMatch(/^unwrite: .*\n {2}- .*cancellation-window/);
    expect(exitCode).toBe(78);
    const json = await runHere([...wrong, '--json']);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { problems: [expect.any(String)] } });
  });
});
