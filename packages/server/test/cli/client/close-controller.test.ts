// The end of a controller's contract, on both stores: access ends at once, requests end, a signed statement says so.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { call, getToken } from '../../helpers/http/api.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { until } from '../../helpers/until.ts';
import { useShop } from '../use-shop.ts';

const OLGA = ['--as', 'olga'];

for (const kind of await storesInMatrix('cli/client/close-controller')) {
  describe(`closing a controller, on ${kind}`, () => {
    const shop = useShop({ cancellation_window: '1h' }, kind);
    const { unwrite, json, addRows, rowsOf, untilTask, submit, client, server } = shop;
    const close = (...flags: string[]) =>
      unwrite('controller', 'close', 'acme', '--reason', 'contract ended', ...flags, ...OLGA);

    /** Refused until a head covers all rows about the controller, that of an earlier statement too. */
    async function statement(): Promise<string> {
      let said = await unwrite('controller', 'statement', 'acme');
      await until(
        async () => {
          if (said.stdout !== '') return true;
          expect(said.stderr).toContain('is not sealed yet');
          said = await unwrite('controller', 'statement', 'acme');
          return said.stdout !== '';
        },
        () => said.stderr,
      );
      return said.stdout;
    }

    it('ends access, waits for what has started, and signs a statement that verifies', async () => {
      addRows('acme', 'four@example.com', 4);
      const started = await submit('acme', [['email', 'four@example.com']]);
      const pending = await submit('acme', [['email', 'other@example.com']]);
      const others = await submit('globex', [['email', 'other@example.com']]);
      await json('request', 'start', started);
      const task = await untilTask(started, 'acme', 'held');
      const credentials = await client('acme');
      const token = await getToken(credentials);

      const shown = await close();
      expect(shown.stdout).toMatch(/1 not started, 1 in progress.*--confirm acme/s);
      expect((await json('controller', 'show', 'acme')).closed_time).toBeNull();
      expect((await close('--confirm', 'globex')).stderr).toContain('cannot be undone');
      const early = await unwrite('controller', 'statement', 'acme');
      expect(early.stderr).toContain('is not closed');

      expect((await close('--confirm', 'acme')).stdout).toContain('its clients are revoked');
      const { closed_time: closed } = await json('controller', 'show', 'acme');
      expect(closed).toMatch(/^20/);
      const status = () => call(`${server().url}/requests/${pending}`, { token });
      let answer = 0;
      await until(
        async () => {
          answer = (await status()).status;
          return answer === 401;
        },
        () => `a revoked token is answered ${answer}`,
      );
      const isRefused = () =>
        getToken(credentials).then(
          () => false,
          () => true,
        );
      await until(isRefused, () => 'a revoked client still gets tokens');
      const secret = await unwrite('client', 'create', '--controller', 'acme');
      expect([secret.exitCode, secret.stderr]).toEqual([1, expect.stringContaining('is closed')]);
      const entered = ['request', 'create', '--controller', 'acme', '--email', 'x@y.z'];
      expect((await unwrite(...entered)).stderr).toContain('is closed');

      const open = await unwrite('controller', 'statement', 'acme');
      expect(open.stderr).toContain('2 requests of controller acme are open');
      const again = await close('--confirm', 'acme', '--pending', 'cancel');
      expect(again.stdout).toMatch(/0 not started, 1 in progress/);
      expect((await json('request', 'show', pending)).request_status).toBe('cancelled');
      expect((await json('request', 'show', others)).request_status).toBe('pending');
      expect(await json('controller', 'show', 'acme')).toMatchObject({ closed_time: closed });
      const rows = await json('audit', 'list', '--action', 'controller.closed');
      expect(rows).toMatchObject([
        { actor: 'operator:olga', detail: { reason: 'contract ended' } },
      ]);

      await json('task', 'release', task, ...OLGA);
      await untilTask(started, 'acme', 'erased');
      expect(rowsOf('acme', 'four@example.com')).toBe(0);
      const stdout = await statement();
      expect(JSON.parse(stdout)).toMatchObject({
        document: 'unwrite closing statement',
        controller_id: 'acme',
        closed_time: expect.stringMatching(/^20/),
        requests: { completed: 1, not_found_anywhere: 0, cancelled: 1 },
        records: { kept: 2, until: expect.stringMatching(/^20/) },
      });
      expect(stdout).not.toContain('example.com');
      expect(stdout).not.toContain('olga');
      const file = `${shop.folder()}/closing-statement.json`;
      writeFileSync(file, stdout);
      const verified = await unwrite('receipt', 'verify', file);
      expect(verified.stdout).toMatch(/^Closing statement of controller acme, .* unchanged/);
      const { audit_head: head } = JSON.parse(stdout);
      expect(verified.stdout).toContain(`Audit head at that time: ${head.head_no}:${head.hash}`);
      const [completed] = await json('audit', 'list', '--action', 'request.completed');
      expect(head.last_audit_no).toBeGreaterThanOrEqual(completed.audit_no);
      const later = `${shop.folder()}/consistency.json`;
      writeFileSync(later, (await unwrite('audit', 'head', '--from', `${head.head_no}`)).stdout);
      const compared = await unwrite('receipt', 'verify', file, '--heads', later);
      expect([compared.exitCode, compared.stderr]).toEqual([0, '']);

      const second = await statement();
      const { signed_time: _, signature: __, audit_head: ___, ...same } = JSON.parse(stdout);
      expect(JSON.parse(second)).toMatchObject(same);
      writeFileSync(file, second);
      expect((await unwrite('receipt', 'verify', file)).exitCode).toBe(0);
      writeFileSync(file, stdout.replace('"completed": 1', '"completed": 9'));
      expect((await unwrite('receipt', 'verify', file)).exitCode).toBe(1);
    });
  });
}
