import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { testMessage } from '../../src/alarms/alarm-message.ts';
import { postAlarm } from '../../src/alarms/webhook.ts';

const NOW = Date.parse('2026-11-15T02:00:00Z');
const SECRET = 'a secret of enough length';
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Got {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function listen(status: number, headers: Record<string, string> = {}) {
  const got: Got[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(status, headers).end('x'.repeat(100_000));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/alarms`, got };
}

describe('a post to the webhook', () => {
  it('is JSON, signed over its time and its bytes', async () => {
    const { url, got } = await listen(202);
    const posted = await postAlarm({ url, secret: SECRET }, testMessage(NOW), NOW);
    expect(posted).toEqual({ ok: true, status: 202 });
    const [{ headers, body } = { headers: {}, body: '' }] = got;
    expect(JSON.parse(body)).toMatchObject({
      kind: 'test',
      raised_time: '2026-11-15T02:00:00.000Z',
    });
    const mac = createHmac('sha256', SECRET)
      .update(`${NOW / 1000}.${body}`)
      .digest('hex');
    expect(headers['x-unwrite-signature']).toBe(`t=${NOW / 1000},v1=${mac}`);
  });

  it('is not signed without a secret', async () => {
    const { url, got } = await listen(200);
    await postAlarm({ url, secret: undefined }, testMessage(NOW), NOW);
    expect(got[0]?.headers['x-unwrite-signature']).toBeUndefined();
  });

  it('does not follow a redirect', async () => {
    const { url, got } = await listen(307, { location: '/elsewhere' });
    const posted = await postAlarm({ url, secret: undefined }, testMessage(NOW), NOW);
    expect(posted).toEqual({ ok: false, reason: 'it answered 307 instead of 2xx' });
    expect(got).toHaveLength(1);
  });

  it('says in our words what went wrong', async () => {
    const { url } = await listen(500);
    expect(await postAlarm({ url, secret: undefined }, testMessage(NOW), NOW)).toEqual({
      ok: false,
      reason: 'it answered 500 instead of 2xx',
    });
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    expect(await postAlarm({ url, secret: undefined }, testMessage(NOW), NOW)).toEqual({
      ok: false,
      reason: `${new URL(url).host} cannot be reached (ECONNREFUSED)`,
    });
  });
});
