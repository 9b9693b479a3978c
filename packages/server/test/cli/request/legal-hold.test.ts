// Legal holds at the command line, on both stores: on a request and on a person, before and while it is erased.
import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

const OLGA = ['--as', 'olga', '--reason'];

for (const kind of await storesInMatrix('cli/request/legal-hold')) {
  describe(`legal holds, on ${kind}`, () => {
    const { unwrite, unwriteReading, json, addRows, rowsOf, untilTask, submit } = useShop({}, kind);
    const audited = (action: string) => json('audit', 'list', '--action', action);
    const place = (...args: string[]) => json('legal-hold', 'place', ...args);

    it('on a person hold her requests until it is lifted, by whichever identity they name her', async () => {
      addRows('acme', 'jane@example.com', 1);
      const flags = [
        '--controller',
        'acme',
        '--email',
        '-',
        '--customer-id',
        'J-1',
        ...OLGA,
        'claim',
      ];
      const args = ['legal-hold', 'place', ...flags];
      const { stdout, exitCode } = await unwriteReading('jane@example.com\n', ...args);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^Legal hold 1 is on a person of acme, until it is lifted/);
      const id = await submit('acme', [['email', 'Jane@Example.com']]);
      const other = await submit('acme', [['email', 'joe@example.com']]);
      const task = await untilTask(id, 'acme', 'held');
      await untilTask(other, 'acme', 'erased');
      expect(rowsOf('acme', 'jane@example.com')).toBe(1);
      const [line] = await json('request', 'list', '--attention');
      expect(line).toMatchObject({ subject_request_id: id, reason: 'legal_hold' });
      const released = await unwrite('task', 'release', task, '--as', 'olga');
      expect(released.stderr).toContain('waits for the end of a legal hold');
      const all = await json('task', 'release', '--all', '--target', 'shop', '--as', 'olga');
      expect(all).toEqual({ released: [], left: [Number(task)] });
      expect((await unwrite('request', 'show', id)).stdout).toContain('Legal hold 1, until it is');
      const lifted = await unwrite('legal-hold', 'lift', '1', ...OLGA, 'settled');
      expect(lifted.stdout).toMatch(/^Legal hold 1 is lifted/);
      await untilTask(id, 'acme', 'erased');
      expect(rowsOf('acme', 'jane@example.com')).toBe(0);
      const again = await unwrite('legal-hold', 'lift', '1', ...OLGA, 'settled');
      expect(again.stderr).toMatch(/legal hold 1 has ended at .* by operator:olga/);
      expect(await json('legal-hold', 'list')).toEqual([]);
      expect((await unwrite('legal-hold', 'list', '--all')).stdout).toContain('a person');
      expect(await audited('legal_hold.placed')).toMatchObject([
        { actor: 'operator:olga', detail: { hold: 1, reason: 'claim' } },
      ]);
    });

    it('say what they came too late for', async () => {
      addRows('acme', 'late@example.com', 1);
      const id = await submit('acme', [['email', 'late@example.com']]);
      await untilTask(id, 'acme', 'erased');
      const onRequest = await unwrite('legal-hold', 'place', '--request', id, ...OLGA, 'claim');
      expect(onRequest.stderr).toMatch(/is completed: a legal hold comes too late/);
      const person = ['--controller', 'acme', '--email', 'late@example.com', ...OLGA, 'claim'];
      const placed = await place(...person);
      expect(placed.too_late).toMatchObject([{ subject_request_id: id, target: 'shop' }]);
      const said = await unwrite('legal-hold', 'place', ...person);
      expect(said.stdout).toMatch(/Too late at shop for request .*: its rows were erased at /);
    });

    it('end by their time', async () => {
      addRows('acme', 'soon@example.com', 1);
      const soon = new Date(Date.now() + 4000).toISOString();
      await place(
        '--controller',
        'acme',
        '--email',
        'soon@example.com',
        '--until',
        soon,
        ...OLGA,
        'x',
      );
      const id = await submit('acme', [['email', 'soon@example.com']]);
      await untilTask(id, 'acme', 'held');
      await untilTask(id, 'acme', 'erased');
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
      expect(await audited('legal_hold.ended')).toMatchObject([{ actor: 'system' }]);
    });

    it.each<[string, string[], RegExp]>([
      ['nobody', ['--controller', 'acme'], /a person must be given/],
      ['a person of no controller', ['--email', 'x@y.z'], /controller must be given/],
      [
        'an end that has passed',
        ['--controller', 'acme', '--email', 'x@y.z', '--until', '2020-01-01'],
        /to come/,
      ],
      ['a request that there is not', ['--request', 'x'], /no request x/],
    ])('are refused for %s', async (_, flags, message) => {
      const { stderr, exitCode } = await unwrite('legal-hold', 'place', ...flags, ...OLGA, 'claim');
      expect(stderr).toMatch(message);
      expect(exitCode).not.toBe(0);
    });

    it('have a reason that does not name the person', async () => {
      const flags = [
        '--controller',
        'acme',
        '--email',
        'x@example.com',
        ...OLGA,
        'for x@example.com',
      ];
      expect((await unwrite('legal-hold', 'place', ...flags)).stderr).toMatch(/names the person/);
    });
  });
}
