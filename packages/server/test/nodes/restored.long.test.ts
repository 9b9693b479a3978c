// The database of several nodes is restored from a backup: under them, or while they are stopped.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { nodesWithBackup } from '../helpers/servers/nodes-with-backup.ts';
import { until } from '../helpers/until.ts';

describe.skipIf(!(await hasPostgres()))(
  'nodes whose database is restored',
  { timeout: 180_000 },
  () => {
    const {
      dataDirOf,
      start,
      stop,
      submit,
      cancel,
      backUp,
      restore,
      askStart,
      statusOf,
      isOpen,
      untilOpen,
      sweeps,
      confirm,
      untilSealed,
      signIn,
      run,
    } = nodesWithBackup();

    it('a request that was lost in the restore and is submitted again after the confirmation stays as it is', async () => {
      const api = await start('api', 'api');
      await signIn(api);
      await submit(api);
      await backUp();
      const id = await submit(api);
      await cancel(api, id);
      await restore();
      await untilOpen();
      await confirm(api);
      await submit(api, id);
      // By then a head would cover the cancellation, if it had not been lost.
      await new Promise((resolve) => setTimeout(resolve, 6000));
      expect(await isOpen()).toBe(false);
      expect(await statusOf(id)).toBe('pending');
    });

    it('is noticed while a node still reads the cancellations of other nodes', async () => {
      const first = await start('api', 'api');
      await start('worker', 'worker');
      await signIn(first);
      const id = await submit(first);
      await untilSealed('api', 'worker');
      await backUp();
      await cancel(first, id);
      await untilSealed('api', 'worker');
      await Promise.all([stop('worker'), stop('api')]);
      const api = await start('api', 'api');
      Object.assign(api.installation.store.restores, {
        cancelledBetween: () => new Promise(() => {}),
      });
      await restore();
      await untilOpen();
    });

    it.each([
      ['has taken off the list', 'DELETE FROM @restore_findings'],
      ['has removed the MAC of', 'UPDATE @restore_findings SET mac = NULL'],
    ])(
      'a cancellation that someone else %s is reported again by its node, before another one starts the request',
      async (_, change) => {
        const api = await start('api', 'api');
        await start('worker', 'worker');
        await signIn(api);
        const id = await submit(api);
        await untilSealed('api', 'worker');
        await backUp();
        await cancel(api, id);
        await untilSealed('api', 'worker');
        await restore();
        await untilOpen();
        await askStart(api, id);
        await sweeps();
        await run(change);
        expect(await confirm(api)).toBe(0);
        await untilOpen();
        await sweeps();
        expect(await statusOf(id)).toBe('pending');
        expect(await confirm(api)).toBe(1);
        expect(await statusOf(id)).toBe('cancelled');
      },
    );

    it('if nodes were stopped during the restore, a new node starts nothing, whichever is started first', async () => {
      const api = await start('api', 'api');
      await start('worker', 'worker');
      await signIn(api);
      const id = await submit(api);
      await untilSealed('api', 'worker');
      await backUp();
      await cancel(api, id);
      await stop('api');
      await stop('worker');
      await restore();
      const [made] = await Promise.all([start('new', 'all'), start('api', 'api')]);
      await askStart(made, id);
      await sweeps();
      expect(await isOpen()).toBe(true);
      expect(await statusOf(id)).toBe('pending');
    });

    it('a node that was away during the confirmation reports what it knows, if that still matters', async () => {
      const first = await start('first', 'api');
      const second = await start('second', 'api');
      await signIn(first);
      const [one, other] = [await submit(first), await submit(second)];
      await backUp();
      await cancel(first, one);
      await stop('first');
      await cancel(second, other);
      await stop('second');
      await restore();
      const again = await start('first', 'api');
      expect(await confirm(again)).toBe(1);
      expect([await statusOf(one), await statusOf(other)]).toEqual(['cancelled', 'pending']);
      const back = await start('second', 'api');
      expect(await isOpen()).toBe(true);
      expect(await confirm(back)).toBe(1);
      expect(await statusOf(other)).toBe('cancelled');
      // Nothing is left to tell.
      await stop('second');
      await start('second', 'api');
      expect(await isOpen()).toBe(false);
    });

    it('erasing is paused for a restore whose record is missing: no node starts anything', async () => {
      const api = await start('api', 'api');
      await signIn(api);
      const id = await submit(api);
      await run(`INSERT INTO @brakes (scope, paused_time, paused_by) VALUES ('*', 1, 'system')`);
      await askStart(api, id);
      await start('worker', 'worker');
      await untilOpen();
      await sweeps();
      expect(await statusOf(id)).toBe('pending');
      expect(await confirm(api)).toBe(0);
      await until(
        async () => (await statusOf(id)) === 'in_progress',
        () => 'nothing starts after the confirmation',
      );
    });

    it('a node without a head file takes the store’s', async () => {
      const api = await start('api', 'api');
      await signIn(api);
      await submit(api);
      await stop('api');
      rmSync(join(dataDirOf('api'), 'audit-head.json'));
      await start('api', 'api');
      expect(await isOpen()).toBe(false);
      expect(readdirSync(dataDirOf('api'))).toContain('audit-head.json');
    });
  },
);
