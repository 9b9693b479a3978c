// Every route and verb with another controller's ids, in every state, again and again in an order by dice:
// what is answered must be, to the byte, what an id that never was gets. Time is measured by bench/tenancy-timing.ts.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { requestBody } from '../../../protocol/test/helpers/request-body.ts';
import { call, getToken, postJson } from '../helpers/http/api.ts';
import { useHostileWorld } from './hostile-world.ts';
import { diceFor, PROBES, PROBES_MS, REPEAT, report } from './seed.ts';

const AT_ONCE = 8;
const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const PATHS = [
  '/requests/:id',
  '/v2/requests/:id',
  '/requests/:id/',
  '/requests/:id?x=1',
  '/requests/:id/receipt',
  '/v2/requests/:id/receipt',
  '/receipts/:id',
  '/receipts?id=:id',
  '/requests?subject_request_id=:id',
  '/requests',
  '/discovery',
  '/v2/:id',
  '/health/ready',
];
/** What differs between any two answers, and what counts down with each of them. */
const OWN = ['date', 'x-request-id', 'ratelimit', 'ratelimit-policy', 'connection', 'keep-alive'];

describe(`${PROBES} probes of another controller's requests (${REPEAT})`, () => {
  const world = useHostileWorld('rate_limit: off\n');

  it('learn nothing by content, length or order', {
    timeout: PROBES_MS,
  }, async () => {
    const dice = diceFor('tenancy');
    const victim = await getToken(
      await world.unwrite().command('client', 'create', '--controller', 'victim'),
    );
    const ids = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const body = requestBody();
        const id = String(body.subject_request_id);
        expect((await postJson(`${world.url()}/requests`, body, victim)).status).toBe(201);
        if (n % 2 === 0)
          await call(`${world.url()}/requests/${id}`, { method: 'DELETE', token: victim });
        return id;
      }),
    );
    const statusOf = async (id: string) =>
      (await call(`${world.url()}/requests/${id}`, { token: victim })).body.request_status;

    async function seen(verb: string, path: string, id: string): Promise<string> {
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(verb);
      const answer = await call(`${world.url()}${path.replace(':id', id)}`, {
        method: verb,
        token: world.token(),
        ...(hasBody && { body: '{}', headers: { 'content-type': 'application/json' } }),
      });
      const headers = [...answer.headers].filter(([name]) => !OWN.includes(name));
      return JSON.stringify([answer.status, headers, answer.text]).replaceAll(id, ':id');
    }
    async function one(): Promise<void> {
      const [verb, path, id] = [dice.one(VERBS), dice.one(PATHS), dice.one(ids)];
      const pair = [id, randomUUID()];
      if (dice.chance(0.5)) pair.reverse();
      const [first, second] = [
        await seen(verb, path, pair[0] ?? ''),
        await seen(verb, path, pair[1] ?? ''),
      ];
      expect(first, `${verb} ${path}`).toBe(second);
      expect(first).not.toContain('victim');
    }
    const worker = async () => {
      for (let n = 0; n < PROBES / AT_ONCE; n++) await one();
    };
    const before = await Promise.all(ids.map(statusOf));
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    report(`tenancy probes: ${PROBES} pairs, no difference`);
    const after = await Promise.all(ids.map(statusOf));
    // Time may start what is pending; a stranger cancels nothing.
    const cancelled = (all: string[]) => all.filter((status) => status === 'cancelled').length;
    expect(cancelled(after)).toBe(cancelled(before));
    expect(cancelled(after)).toBeGreaterThan(10);
  });
});
