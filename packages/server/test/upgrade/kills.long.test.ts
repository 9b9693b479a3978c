// A process that is killed in the middle of a migration, by the start of a server or by `unwrite migrate`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { freePort } from '../helpers/free-port.ts';
import { environmentOf, NODE, untilReady } from '../helpers/servers/server-process.ts';
import { until } from '../helpers/until.ts';
import { SLOW_TIMEOUT } from './invented-version.ts';
import { EXPANDED, SLOWED, useVersions } from './use-versions.ts';

const PATIENCE = 600_000;
const BY: [string, string[]][] = [
  ['a start', ['serve']],
  ['unwrite migrate', ['migrate', '--yes']],
];

type Versions = ReturnType<typeof useVersions>;

/** On its way, in the version whose migration takes seconds. */
async function spawnSlow(versions: Versions, args: readonly string[]): Promise<ChildProcess> {
  const options = { dataDir: versions.dataDir(), port: await freePort() };
  const environment = versions.environment();
  return spawn(NODE, [versions.slow().bin, ...args], {
    env: environmentOf({ ...options, environment }),
    stdio: 'ignore',
  });
}

async function killInTheMiddle(
  versions: Versions,
  args: readonly string[],
  isInTheMiddle: () => boolean | Promise<boolean>,
): Promise<void> {
  const child = await spawnSlow(versions, args);
  const exited = once(child, 'exit');
  await until(isInTheMiddle, () => 'it does not migrate');
  child.kill('SIGKILL');
  await exited;
}

const waitingIn = async ({ answered, slow }: Versions) =>
  (await answered(['migrate', 'status'], slow())).waiting;

describe('a migration of an SQLite file', () => {
  const versions = useVersions('sqlite');
  const isInTheMiddle = () =>
    (statSync(join(versions.dataDir(), 'unwrite.db-wal'), { throwIfNoEntry: false })?.size ?? 0) >
    20_000_000;

  it.each(BY)(
    'that is killed in %s is made by the next one, and by nobody else',
    {
      timeout: PATIENCE,
    },
    async (_, args) => {
      const { start, submit, complete } = versions;
      const old = await start('a');
      await versions.makeToken(old);
      const before = await submit(old);
      await old.kill('SIGTERM');

      await killInTheMiddle(versions, args, isInTheMiddle);
      expect(await waitingIn(versions)).toEqual([SLOWED]);
      // The way back is open meanwhile.
      const again = await start('a');
      const between = await submit(again);
      await again.kill('SIGTERM');

      const newer = await start('a', versions.slow());
      for (const id of [before, between]) await complete(newer, id, versions.slow());
      expect(await waitingIn(versions)).toEqual([]);
    },
  );
});

describe.skipIf(!(await hasPostgres()))('a migration on PostgreSQL', () => {
  const versions = useVersions('postgres');
  const isInTheMiddle = async () =>
    (
      await versions.query(
        `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(8)%' AND pid <> pg_backend_pid() AND state = 'active'`,
      )
    ).length > 0;

  it.each(BY)(
    'that is killed in %s is made by one of those that start next',
    {
      timeout: PATIENCE,
    },
    async (_, args) => {
      const { start, spawn, submit, complete } = versions;
      Object.assign(versions.environment(), { UNWRITE_STORE_STATEMENT_TIMEOUT: SLOW_TIMEOUT });
      const old = await start('a');
      await versions.makeToken(old);
      const before = await submit(old);
      await old.kill('SIGTERM');

      await killInTheMiddle(versions, args, isInTheMiddle);
      expect(await waitingIn(versions)).toEqual([EXPANDED, SLOWED]);
      // One migrates, for longer than a statement may take elsewhere, and the other waits for it.
      const both = await Promise.all(['b', 'c'].map((name) => spawn(name, versions.slow())));
      await Promise.all(both.map(untilReady));
      for (const { output } of both) expect(output()).toContain('the store is being migrated');
      const [newer = old] = both;
      await complete(newer, before, versions.slow());
      expect(await waitingIn(versions)).toEqual([]);
    },
  );

  it('that needs a table which another transaction holds gives up, and says so', {
    timeout: PATIENCE,
  }, async () => {
    await (await versions.start('a')).kill('SIGTERM');
    await versions.query('BEGIN');
    await versions.query('LOCK TABLE unwrite.requests IN ACCESS SHARE MODE');
    const { exitCode, stderr } = await versions.command(['migrate', '--yes'], versions.next());
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('waited for 5 seconds for a table'),
    ]);
    expect(stderr).not.toContain('cannot be reached');
    await versions.query('ROLLBACK');
    expect(await waitingIn(versions)).toEqual([EXPANDED, SLOWED]);
  });
});
