import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useInstallation } from './use-installation.ts';

const { unwrite, json, options } = useInstallation();

describe('unwrite migrate', () => {
  it('says what waits, applies it once, and says so', async () => {
    const { waiting } = await json('migrate', '--status');
    expect(waiting.length).toBeGreaterThan(0);
    expect(await json('migrate')).toEqual({ migrated: waiting });
    expect(await json('migrate', '--status')).toEqual({ applied: waiting, waiting: [] });
    expect((await unwrite('migrate')).stdout).toBe('The store is up to date.\n');
    expect((await unwrite('migrate', '--status')).stdout).toMatch(/^applied: .*\nwaiting: none\n$/);
  });
});

describe('a store that cannot be used', () => {
  it.each(['client list', 'migrate', 'serve'])(
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

  it.each(['client list', 'migrate', 'serve'])(
    '%s: a file that is no database',
    async (command) => {
      const path = `${options().dataDir}-other`;
      mkdirSync(path, { recursive: true });
      writeFileSync(`${path}/unwrite.db`, 'This is a letter to my aunt. '.repeat(100));
      const { exitCode, stderr } = await unwrite(...command.split(' '), '--data-dir', path);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^unwrite: .*not a database.*\n$/);
    },
  );

  it('request list: a folder without a store is left as it is', async () => {
    const path = `${options().dataDir}-nowhere`;
    const { exitCode, stderr } = await unwrite('request', 'list', '--data-dir', path);
    expect([exitCode, stderr]).toEqual([
      1,
      `unwrite: there is no store in ${path}; check --data-dir (UNWRITE_DATA_DIR), or make one with "unwrite client create"\n`,
    ]);
    expect(existsSync(path)).toBe(false);
  });
});
