// Streams of events by themselves: what they do not keep alive, and what a caller that does not read gets.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { OperatorAuthentication } from '../../../src/auth/operator/operator.ts';
import { createAuthenticateOperator } from '../../../src/http/operator/authenticate-operator.ts';
import type { OperatorContext } from '../../../src/http/operator/context.ts';
import { eventRoutes } from '../../../src/http/operator/events/routes.ts';
import { until } from '../../helpers/until.ts';

let app: FastifyInstance;
afterEach(() => app.close());

/** `changes`: what the store answers when it is asked for changes. */
async function listenTo(changes: () => object): Promise<{ url: string; uses: boolean[] }> {
  const uses: boolean[] = [];
  const operator = { name: 'anna', role: 'viewer', by: 'session', id: 'ses_1' } as const;
  const authentication: OperatorAuthentication = {
    async session(_, isUse) {
      uses.push(isUse);
      return { operator, expires: Number.MAX_SAFE_INTEGER, idleExpires: Number.MAX_SAFE_INTEGER };
    },
    client: async () => undefined,
  };
  app = fastify({ forceCloseConnections: true });
  for (const name of ['operator', 'operatorSession', 'stillSignedIn', 'headerFindings'] as const)
    app.decorateRequest(name);
  app.addHook('onRequest', async (request) => {
    request.headerFindings = { authorizations: 0 } as typeof request.headerFindings;
  });
  app.addHook('onRequest', createAuthenticateOperator(authentication));
  app.get('/other', { config: { role: 'viewer' } }, async () => 'other');
  eventRoutes(app, {
    store: { views: { changes: async () => changes() } },
  } as never as OperatorContext);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, uses };
}

describe('a stream of events', () => {
  it('is no use of its session: a browser opens it again by itself, for as long as a page is open', async () => {
    const { url, uses } = await listenTo(() => ({ seen: {}, rows: [] }));
    await (await fetch(`${url}/other`)).text();
    expect(uses).toEqual([true]);
    const abort = new AbortController();
    const { status } = await fetch(`${url}/events`, { signal: abort.signal });
    expect(status).toBe(200);
    abort.abort();
    expect(uses.slice(1)).not.toContain(true);
    expect(uses.length).toBeGreaterThan(1);
  });

  it('is closed if its caller does not read it, instead of being kept in memory', async () => {
    const row = { action: 'request.started', controllerId: 'x'.repeat(500_000) };
    const rows = Array.from({ length: 20 }, (_, n) => ({ ...row, subjectRequestId: String(n) }));
    const { url } = await listenTo(() => ({ seen: {}, rows }));
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    await once(socket, 'connect');
    socket.write('GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const connections = () =>
      new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
    await until(
      async () => (await connections()) === 1,
      () => 'it was not opened',
    );
    await until(
      async () => (await connections()) === 0,
      () => 'it was not closed',
      20_000,
    );
    socket.destroy();
  });
});
