// What is said where a pooler that hands out connections by the transaction stands before the store; nodes behind
// one are in pgbouncer.long.test.ts.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../../cli/run-here.ts';
import { type FreshDatabase, freshPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { borrowPgbouncer } from './borrow-pgbouncer.ts';

const { pooler, version, knowsPrepared } = await borrowPgbouncer();

describe.skipIf(pooler === undefined)(`behind PgBouncer ${version}, by the transaction`, () => {
  let database: FreshDatabase;
  let url: string;

  beforeEach(async () => {
    database = await freshPostgres();
    url = new URL(new URL(database.url).pathname, pooler).href;
  });
  afterEach(() => database.close());
  const env = () => ({ ...process.env, UNWRITE_STORE: url });

  // An older one lets them through to whichever connection is free: it goes wrong sooner or later.
  it.skipIf(knowsPrepared)('says what to set if prepared statements are not known', async () => {
    const off = ['--store-statement-timeout', 'off'];
    const migrated = await runHere(['migrate', '--yes', ...off], { env: env() });
    expect(migrated.stderr).toContain('store_prepare');
  });

  it('says what to set if the timeout of statements is refused', async () => {
    const args = ['migrate', 'status', '--store-prepare', 'false'];
    const { exitCode, stderr } = await runHere(args, { env: env() });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('store_statement_timeout');
    const off = await runHere([...args, '--store-statement-timeout', 'off'], { env: env() });
    expect([off.exitCode, off.stderr]).toEqual([0, '']);
  });
});
