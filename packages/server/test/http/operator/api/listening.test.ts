// Pages that stay as they are while more arrives, and events that say what has changed.
import { describe, expect, it } from 'vitest';
import { expectError } from '../../../helpers/http/error-shape.ts';
import { storesInMatrix } from '../../../helpers/stores/test-store.ts';
import { until } from '../../../helpers/until.ts';
import { JANE, useOperatorApi } from './world.ts';

/** Until then, a stream that nobody ends goes on by itself. */
const KEEP_ALIVE_MS = 15_000;

for (const kind of await storesInMatrix('http/operator/api/listening')) {
  describe(`following the operator API on ${kind}`, () => {
    const world = useOperatorApi(kind);
    const { as, pathOf } = world;

    it('a list that is read while requests arrive has each of the old ones once', async () => {
      const old: string[] = [];
      for (let n = 0; n < 5; n++) old.unshift(await world.request(`old${n}@example.com`));
      for (const filter of ['', '&status=pending', '&controller=acme']) {
        const seen: string[] = [];
        let after = '';
        for (let page = 0; page < 10; page++) {
          const { body } = await as('viewer').get(`/requests?limit=2${filter}${after}`);
          seen.push(
            ...body.items.map((it: { subject_request_id: string }) => it.subject_request_id),
          );
          await world.request();
          if (body.next === null) break;
          after = `&after=${body.next}`;
        }
        expect(
          seen.filter((id) => old.includes(id)),
          filter,
        ).toEqual(old);
        expect(new Set(seen).size).toBe(seen.length);
      }
    });

    it('a stream says when it begins to report changes', async () => {
      const stopped = new AbortController();
      const response = await fetch(`${world.url()}/operator/v1/events`, {
        headers: { authorization: `Bearer ${as('viewer').token}` },
        signal: stopped.signal,
      });
      let text = '';
      const reading = (async () => {
        for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
      })();
      const has = (line: string) =>
        until(
          async () => text.includes(line),
          () => `no ${line}: ${text}`,
        );
      await has('event: ready');
      const id = await world.request();
      await has(id);
      stopped.abort();
      await reading.catch(() => undefined);
    });

    it('events end with the session or the client, before anything more is reported', async () => {
      const made = await as('admin').post('/operator-clients', { name: 'ear', role: 'viewer' });
      const response = await fetch(`${world.url()}/operator/v1/events`, {
        headers: { authorization: `Bearer ${made.body.token}` },
      });
      let text = '';
      let isOver = false;
      const reading = (async () => {
        for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
        isOver = true;
      })();
      await until(
        async () => text.includes('retry: 3000'),
        () => `nothing came: ${text}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 1500));
      // By another process, as by another node: nothing tells this one.
      await world.json('operator', 'client', 'revoke', made.body.client_id);
      const id = await world.request();
      await until(
        async () => isOver,
        () => `it went on: ${text}`,
      );
      await reading;
      expect(text).not.toContain(id);
    });

    it('events end at once when the client is revoked here', async () => {
      const made = await as('admin').post('/operator-clients', { name: 'ears', role: 'viewer' });
      const response = await fetch(`${world.url()}/operator/v1/events`, {
        headers: { authorization: `Bearer ${made.body.token}` },
      });
      const reader = response.body?.getReader();
      await reader?.read();
      const { client_id } = made.body;
      const before = performance.now();
      await as('admin').remove(`/operator-clients/${client_id}`);
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read());
      expect(performance.now() - before).toBeLessThan(KEEP_ALIVE_MS);
    });

    it('one person or client may have twenty streams of events, and does not take those of others', async () => {
      const open = async (token: string) => {
        const abort = new AbortController();
        const response = await fetch(`${world.url()}/operator/v1/events`, {
          headers: { authorization: `Bearer ${token}` },
          signal: abort.signal,
        });
        return { response, close: () => abort.abort() };
      };
      const made = await as('admin').post('/operator-clients', { name: 'greedy', role: 'viewer' });
      const streams = [];
      for (let n = 0; n < 20; n++) streams.push(await open(made.body.token));
      expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
      const { response } = await open(made.body.token);
      expect(response.status).toBe(429);
      expect(await response.text()).toContain('has 20 streams of events open already');
      const other = await open(as('viewer').token);
      expect(other.response.status).toBe(200);
      for (const { close } of [...streams, other]) close();
      await until(
        async () => {
          const again = await open(made.body.token);
          again.close();
          return again.response.status === 200;
        },
        () => 'streams that were closed still count',
      );
    });

    async function listen() {
      const abort = new AbortController();
      const response = await fetch(`${world.url()}/operator/v1/events`, {
        headers: { authorization: `Bearer ${as('viewer').token}` },
        signal: abort.signal,
      });
      const heard = { response, text: '' };
      const reading = (async () => {
        for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
      })().catch(() => undefined);
      await until(
        async () => heard.text.includes('retry: 3000'),
        () => `nothing came: ${heard.text}`,
      );
      // The first look is where it begins.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const stop = async () => {
        abort.abort();
        await reading;
      };
      return { heard, stop };
    }

    it('events say within seconds which requests have changed, and contain no identities', async () => {
      expectError(await world.callsOf('none').get('/events'), 401);
      const { heard, stop } = await listen();
      const { headers } = heard.response;
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      const id = await world.request();
      await as('operator').post(`${pathOf(id)}/start`);
      await as('operator').post('/targets/shop/pause');
      await until(
        async () => heard.text.includes(id) && heard.text.includes('"pause"'),
        () => `it was not told: ${heard.text}`,
      );
      expect(heard.text).toMatch(/event: changed\nid: \d+\ndata: \{"what":\[/);
      expect(heard.text).not.toContain(JANE);
      await as('operator').post('/targets/shop/resume');
      await stop();
    });

    it('a row that someone else wrote with a far larger number does not stop the events', async () => {
      const { heard, stop } = await listen();
      await world.inStore(
        "INSERT INTO audit_rows (audit_no, time, actor, action) VALUES (1000000, 1, 'eve', 'task.erased')",
      );
      await as('operator').post('/targets/shop/pause');
      await until(
        async () => heard.text.includes('"pause"'),
        () => `it was not told: ${heard.text}`,
      );
      heard.text = '';
      await as('operator').post('/targets/shop/resume');
      await until(
        async () => heard.text.includes('"pause"'),
        () => `it was not told: ${heard.text}`,
      );
      await stop();
    });
  });
}
