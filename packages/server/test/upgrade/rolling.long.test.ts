// As while a new version is rolled out, and after it.
import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { CONTRACTED, EXIT_CONFIG, EXPANDED, TOO_OLD, useVersions } from './use-versions.ts';

/** Nine starts of a server and thirty commands, on a machine that may be busy. */
const PATIENCE = 600_000;

describe.skipIf(!(await hasPostgres()))('nodes of several versions on one PostgreSQL', () => {
  const versions = useVersions('postgres');

  it('work beside each other, until one is too old or too new and says so', {
    timeout: PATIENCE,
  }, async () => {
    const { start, spawn, ended, submit, complete, statusAt, answered, reasons } = versions;
    const [next, afterNext] = [versions.next(), versions.afterNext()];
    const old = await start('a');
    await versions.makeToken(old);
    const before = await submit(old);

    // The next version joins; what either accepts, both answer, and both erase.
    const newer = await start('b', next);
    const [fromOld, fromNewer] = await Promise.all([submit(old), submit(newer)]);
    for (const id of [before, fromOld, fromNewer]) {
      await complete(old, id);
      expect(await statusAt(newer, id)).toBe('completed');
    }
    await complete(newer, await submit(newer), next);
    const doctor = await versions.command(['doctor']);
    expect(doctor.stdout).toMatch(/they run versions \S+ and 0\.2\.0/);
    expect(doctor.stdout).toContain(`a newer version has migrated it (${EXPANDED})`);
    expect(await answered(['migrate', 'status'])).toMatchObject({ waiting: [], newer: [EXPANDED] });

    // The way back is open.
    await old.kill('SIGTERM');
    const again = await start('a');
    await complete(again, await submit(again));

    // One that removes something waits for the end of those that use it.
    const early = await ended(await spawn('c', afterNext));
    expect(early.exitCode).toBe(EXIT_CONFIG);
    expect(early.output).toMatch(
      new RegExp(
        `migration ${CONTRACTED} removes what running nodes use: \\S+ \\(version \\S+\\); stop`,
      ),
    );
    expect(early.output).not.toContain('0.2.0');
    expect(await Promise.all([again, newer].map(reasons))).toEqual([[], []]);

    await again.kill('SIGTERM');
    const newest = await start('c', afterNext);
    const [one, other] = await Promise.all([submit(newer), submit(newest)]);
    await complete(newer, one, next);
    await complete(newest, other, afterNext);
    const late = await ended(await spawn('a'));
    expect(late.exitCode).toBe(EXIT_CONFIG);
    expect(late.output).toContain(TOO_OLD);
  });
});

describe('versions on one SQLite file', () => {
  const versions = useVersions('sqlite');

  it('follow each other: nothing is migrated under a running server', {
    timeout: PATIENCE,
  }, async () => {
    const { start, spawn, ended, submit, complete, statusAt } = versions;
    const [next, afterNext] = [versions.next(), versions.afterNext()];
    const old = await start('a');
    await versions.makeToken(old);
    const before = await submit(old);
    const refused = await versions.command(['request', 'list'], next);
    expect(refused.exitCode).toBe(EXIT_CONFIG);
    expect(refused.stderr).toContain(
      `the store in ${versions.dataDir()} needs ${EXPANDED}, and a server uses it: stop that`,
    );
    await complete(old, await submit(old));
    await old.kill('SIGTERM');

    const newer = await start('a', next);
    await complete(newer, before, next);
    // Commands of the earlier version work beside it, and the way back is open.
    await complete(newer, await submit(newer));
    await newer.kill('SIGTERM');
    const again = await start('a');
    expect(await statusAt(again, before)).toBe('completed');
    await complete(again, await submit(again));
    await again.kill('SIGTERM');

    const newest = await start('a', afterNext);
    await complete(newest, await submit(newest), afterNext);
    await newest.kill('SIGTERM');
    const late = await ended(await spawn('a'));
    expect(late.exitCode).toBe(EXIT_CONFIG);
    expect(late.output).toContain(TOO_OLD);
    expect(await versions.answered(['migrate', 'status'], afterNext)).toMatchObject({
      waiting: [],
    });
  });
});
