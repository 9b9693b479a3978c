import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { heapAfterCollection } from '../../helpers/heap.ts';
import { call } from '../../helpers/http/api.ts';
import { holdOpen, rawRequest, readAnswers, send } from '../../helpers/http/raw-socket.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';
import { until } from '../../helpers/until.ts';

let service: TestService;
afterEach(() => service.close());

const get = (path: string) => rawRequest(`GET ${path} HTTP/1.1`, ['Host: localhost']);
const ALIVE_AND_CLOSE = ['GET /health/live HTTP/1.1', ['Host: x', 'Connection: close']] as const;
const descriptors = () => readdirSync('/proc/self/fd').length;

describe('requests that are sent before the first is answered', () => {
  it('are answered in order, up to the limit', async () => {
    service = await startService({ limitsPipelined: 5 });
    const held = await holdOpen(service.url, [get('/health/live').repeat(4)]);
    const answers = readAnswers(await held.received(/(live"}.*){4}/s));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(held.socket.destroyed).toBe(false);
    held.socket.destroy();
  });

  it('requests beyond the limit are not read: the connection ends with those before', async () => {
    service = await startService({ limitsPipelined: 5 });
    const answers = await send(service.url, get('/health/ready').repeat(100));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(answers.at(-1)?.headers.get('connection')).toBe('close');
  });

  it('hold neither descriptors nor memory if the answers are not read', async () => {
    service = await startService();
    await call(`${service.url}/docs/static/swagger-ui-bundle.js`);
    await call(`${service.url}/openapi.json`);
    const [files, memory] = [descriptors(), heapAfterCollection()];
    const paths = ['/docs/static/swagger-ui-bundle.js', '/openapi.json', '/docs/json'];
    const requests = paths.map(get).join('').repeat(200);
    const held = await Promise.all(
      Array.from({ length: 10 }, () => holdOpen(service.url, [requests], { isReading: false })),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(descriptors() - files).toBeLessThanOrEqual(25);
    expect(heapAfterCollection() - memory).toBeLessThan(20_000_000);
    for (const { socket } of held) socket.destroy();
  });
});

describe('requests of one connection', () => {
  it('end it when they are as many as allowed', async () => {
    service = await startService({ limitsRequestsPerConnection: 3 });
    const held = await holdOpen(service.url);
    for (const expected of ['keep-alive', 'keep-alive', 'close']) {
      await held.write(get('/health/live'));
      const count = expected === 'close' ? 3 : 1;
      const text = await held.received(new RegExp(`(live"}.*){${count}}`, 's'));
      expect(readAnswers(text).at(-1)?.headers.get('connection')).toBe(expected);
    }
    await held.closed;
  });
});

describe('connections', () => {
  it('connections of one address are limited', async () => {
    service = await startService({ limitsConnectionsPerAddress: 2 });
    const held = [await holdOpen(service.url), await holdOpen(service.url)];
    const third = await holdOpen(service.url);
    await third.closed;
    await held[0]?.write(get('/health/live'));
    expect(await held[0]?.received(/live"}/)).toContain('200 OK');
    held[1]?.socket.destroy();
    await until(
      () =>
        call(`${service.url}/health/live`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      () => 'no room was made',
    );
    for (const { socket } of held) socket.destroy();
  });

  it('connections of a trusted proxy are not limited by its address', async () => {
    service = await startService({ limitsConnectionsPerAddress: 2, trustProxy: 'loopback' });
    const held = await Promise.all(Array.from({ length: 5 }, () => holdOpen(service.url)));
    expect((await call(`${service.url}/health/live`)).status).toBe(200);
    for (const { socket } of held) socket.destroy();
  });

  it('all connections together are limited: the oldest idle one makes room', async () => {
    service = await startService({ limitsConnections: 10 });
    const held = await Promise.all(Array.from({ length: 10 }, () => holdOpen(service.url)));
    expect((await call(`${service.url}/health/live`)).status).toBe(200);
    await held[0]?.closed;
    expect(held.filter(({ socket }) => socket.destroyed)).toHaveLength(1);
    for (const { socket } of held) socket.destroy();
  });

  const half = rawRequest('POST /oauth/token HTTP/1.1', [
    'Host: x',
    'Content-Type: application/json',
    'Content-Length: 100',
  ]);
  const unread = get('/docs/static/swagger-ui-bundle.js').repeat(30);
  it.each([
    ['do not send their requests to the end', half],
    ['do not read their answers', unread],
  ])('callers that %s on every connection do not keep others out', async (_, text) => {
    service = await startService({ limitsConnections: 10 });
    const isReading = text === half;
    const held = await Promise.all(
      Array.from({ length: 10 }, () => holdOpen(service.url, [text], { isReading })),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let n = 0; n < 5; n++) {
      // A connection of its own each time, as of another caller.
      const [answer] = await send(service.url, rawRequest(...ALIVE_AND_CLOSE));
      expect(answer?.status).toBe(200);
    }
    for (const { socket } of held) socket.destroy();
  });

  it('the address with the most connections makes room', async () => {
    service = await startService({ limitsConnections: 10 });
    const other = await holdOpen(service.url, [], { localAddress: '127.0.0.2' });
    const held = await Promise.all(Array.from({ length: 9 }, () => holdOpen(service.url)));
    for (let n = 0; n < 5; n++) held.push(await holdOpen(service.url));
    await held[4]?.closed;
    await other.write(get('/health/live'));
    expect(await other.received(/live"}/)).toContain('200 OK');
    for (const { socket } of [other, ...held]) socket.destroy();
  });
});
