// The database of two nodes is restored from a backup under them; restored.long.test.ts has what else may happen then.
import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { nodesWithBackup } from '../helpers/servers/nodes-with-backup.ts';
import { until } from '../helpers/until.ts';

describe.skipIf(!(await hasPostgres()))('nodes whose database is restored', () => {
  const nodes = nodesWithBackup();
  const { start, submit, cancel, backUp, restore, askStart, statusOf, isOpen } = nodes;
  const { untilOpen, sweeps, confirm, signIn, run } = nodes;

  it('start nothing until it is confirmed, and the node that has answered a cancellation reports it before a head covers it', async () => {
    const api = await start('api', 'api');
    await signIn(api);
    const id = await submit(api);
    await backUp();
    await cancel(api, id);
    await restore();
    await askStart(api, id);
    await untilOpen();
    await start('worker', 'worker');
    await sweeps();
    expect(await statusOf(id)).toBe('pending');
    // Somebody lifts the pause that goes with it: nothing starts all the same.
    await run('DELETE FROM @brakes');
    await sweeps();
    expect(await statusOf(id)).toBe('pending');
    expect(await confirm(api)).toBe(1);
    expect(await statusOf(id)).toBe('cancelled');
    const next = await submit(api);
    await askStart(api, next);
    await until(
      async () => (await statusOf(next)) === 'in_progress',
      () => 'nothing starts after the confirmation',
    );
    expect(await isOpen()).toBe(false);
  });
});
