// What an operator does for a controller, on both stores: a request that came by letter, its end, a longer deadline.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

const DAY = 86_400_000;

for (const kind of await storesInMatrix('cli/request/deal')) {
  describe(`dealing with requests for a controller, on ${kind}`, () => {
    const shop = useShop({ cancellation_window: '1h' }, kind);
    const { unwrite, unwriteReading, json, addRows, rowsOf, untilTask, audited, submit } = shop;

    const enter = async (email: string, ...flags: string[]): Promise<string> => {
      const entered = ['--controller', 'acme', '--email', email, '--as', 'olga', ...flags];
      return (await json('request', 'create', ...entered)).subject_request_id;
    };

    it('a request that an operator enters is pending, in its name, and named nowhere in clear', async () => {
      const id = randomUUID();
      const flags = ['--id', id, '--submitted', '2026-11-01T10:00:00Z', '--as', 'olga'];
      const make = ['request', 'create', '--controller', 'acme', '--email', '-', ...flags];
      const { stdout, exitCode } = await unwriteReading('letter@example.com\n', ...make);
      expect(stdout).toMatch(new RegExp(`^Request ${id} is pending\\. .* only another operator`));
      expect(exitCode).toBe(0);
      const shown = await json('request', 'show', id);
      expect(shown).toMatchObject({
        request_status: 'pending',
        regulation: 'gdpr',
        submitted_time: '2026-11-01T10:00:00Z',
        identities: 1,
      });
      expect(shown.history[0]).toMatchObject({ action: 'request.created', actor: 'operator:olga' });
      expect(JSON.stringify(shown)).not.toContain('letter@');
      const again = await unwriteReading('letter@example.com\n', ...make);
      expect([again.exitCode, again.stderr]).toEqual([
        1,
        `unwrite: controller acme has a request ${id} already\n`,
      ]);
    });

    it.each<[string, string[], RegExp]>([
      ['a controller that there is not', ['--controller', 'nobody'], /no controller nobody/],
      ['an id that is none', ['--controller', 'acme', '--id', 'x'], /must be a UUID version 4/],
      [
        'a time to come',
        ['--controller', 'acme', '--submitted', '2999-01-01T00:00:00Z'],
        /has passed/,
      ],
    ])('refuses %s', async (_, flags, message) => {
      const { stderr, exitCode } = await unwrite('request', 'create', '--email', 'x@y.z', ...flags);
      expect(stderr).toMatch(message);
      expect(exitCode).not.toBe(0);
    });

    it('only another operator starts it early, and releases it; the receipt says who entered it', async () => {
      addRows('acme', 'four@example.com', 4);
      const id = await enter('four@example.com');
      const own = await unwrite('request', 'start', id, '--as', 'olga');
      expect(own.stderr).toContain(`you entered request ${id} yourself`);
      expect(own.exitCode).toBe(1);
      await json('request', 'start', id, '--as', 'otto');
      const task = await untilTask(id, 'acme', 'held');
      const release = await unwrite('task', 'release', task, '--as', 'olga');
      expect(release.stderr).toContain('another operator has to release it');
      const all = ['task', 'release', '--all', '--target', 'shop', '--as'];
      expect(await json(...all, 'olga')).toEqual({ released: [], left: [Number(task)] });
      expect(await json(...all, 'otto')).toEqual({ released: [Number(task)], left: [] });
      await untilTask(id, 'acme', 'erased');
      expect(rowsOf('acme', 'four@example.com')).toBe(0);
      expect((await json('receipt', id, '--full')).entered_by).toBe('operator:olga');
      expect((await json('receipt', id)).entered_by).toBe('the processor');
    });

    it('a pending request is cancelled for a reason, which is in the audit log', async () => {
      const id = await submit('acme', [['email', 'jane@example.com']]);
      const cancel = ['request', 'cancel', id, '--as', 'olga'];
      const naming = await unwrite(...cancel, '--reason', 'jane@example.com withdrew');
      expect(naming.stderr).toMatch(/names the person/);
      const { stdout } = await unwrite(...cancel, '--reason', 'withdrawn by telephone');
      expect(stdout).toBe(`Request ${id} is cancelled.\n`);
      expect((await json('request', 'show', id)).request_status).toBe('cancelled');
      expect(await audited(id, 'acme', 'request.cancelled')).toEqual([
        { actor: 'operator:olga', detail: { reason: 'withdrawn by telephone' } },
      ]);
      const [left] = await shop.inStore('SELECT count(*) AS n FROM sealed_identities');
      const [pending] = await shop.inStore(
        "SELECT count(*) AS n FROM requests WHERE status <> 'cancelled' AND identity_count > 0",
      );
      expect(left).toEqual(pending);
      const again = await unwrite(...cancel, '--reason', 'again');
      expect(again.stderr).toContain('is cancelled and cannot be cancelled; only pending ones are');
    });

    it('an extension moves the statutory deadline alone, and no further than the law allows', async () => {
      const id = await submit('acme', [['email', 'late@example.com']]);
      const before = await json('request', 'show', id);
      const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
      const extend = (until: string) =>
        unwrite(
          'request',
          'extend',
          id,
          '--until',
          until,
          '--reason',
          'complex, as acme wrote',
          '--as',
          'olga',
        );
      for (const until of [day(3), day(120)]) {
        const { stderr, exitCode } = await extend(until);
        expect(stderr).toMatch(/--until must be after \S+ and at most \S+/);
        expect(exitCode).toBe(2);
      }
      const { stdout } = await extend(day(60));
      expect(stdout).toContain(
        `The statutory deadline of request ${id} is ${day(60)}T23:59:59.999Z`,
      );
      const after = await json('request', 'show', id);
      expect(after.expected_completion_time).toBe(before.expected_completion_time);
      expect(after.extended_until).toBe(`${day(60)}T23:59:59.999Z`);
      expect(await audited(id, 'acme', 'request.extended')).toEqual([
        {
          actor: 'operator:olga',
          detail: { until: `${day(60)}T23:59:59.999Z`, reason: 'complex, as acme wrote' },
        },
      ]);
      expect((await extend(day(60))).exitCode).toBe(0);
      expect(await audited(id, 'acme', 'request.extended')).toHaveLength(1);
    });
  });
}
