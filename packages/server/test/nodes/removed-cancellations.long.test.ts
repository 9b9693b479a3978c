// Someone who can write to the database removes a cancellation that one node has answered; another node starts requests.
import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { nodesWithBackup } from '../helpers/servers/nodes-with-backup.ts';
import type { TestService } from '../helpers/servers/service.ts';

describe.skipIf(!(await hasPostgres()))(
  'nodes whose log lacks a cancellation',
  { timeout: 180_000 },
  () => {
    const {
      start,
      stop,
      submit,
      cancel,
      backUp,
      askStart,
      statusOf,
      untilOpen,
      sweeps,
      declare,
      confirm,
      untilSealed,
      signIn,
      removeCancellation,
    } = nodesWithBackup();

    /** Both requests are in the backup, not cancelled; `id` is the one whose cancellation will be removed. */
    async function twoCancelled() {
      const api = await start('api', 'api');
      await start('worker', 'worker');
      await signIn(api);
      const [id, other] = [await submit(api), await submit(api)];
      await untilSealed('api', 'worker');
      await backUp();
      await cancel(api, id);
      await cancel(api, other);
      return { api, id };
    }

    async function expectCancelledAgain(api: TestService, id: string): Promise<void> {
      await sweeps();
      expect(await statusOf(id)).toBe('pending');
      expect(await confirm(api)).toBe(1);
      expect(await statusOf(id)).toBe('cancelled');
    }

    for (const isSealed of [true, false]) {
      it(`a request whose cancellation someone else has removed from the log ${isSealed ? 'after' : 'before'} a head covered it is not started by a node that has not answered it`, async () => {
        const { api, id } = await twoCancelled();
        if (isSealed) await untilSealed('api', 'worker');
        await removeCancellation(id);
        if (isSealed) await askStart(api, id);
        await untilOpen();
        if (!isSealed) await askStart(api, id);
        await expectCancelledAgain(api, id);
      });
    }

    it('nor by a node that was added after a head had covered the cancellation', async () => {
      const { api, id } = await twoCancelled();
      await untilSealed('api', 'worker');
      await stop('worker');
      await start('added', 'worker');
      await sweeps();
      await removeCancellation(id);
      await askStart(api, id);
      await untilOpen();
      await expectCancelledAgain(api, id);
    });

    it('nor after a restore was confirmed in between', async () => {
      const { api, id } = await twoCancelled();
      await untilSealed('api', 'worker');
      await declare(api);
      expect(await confirm(api)).toBe(0);
      await sweeps();
      await removeCancellation(id);
      await askStart(api, id);
      await untilOpen();
      await expectCancelledAgain(api, id);
    });
  },
);
