import { afterEach, describe, expect, it } from 'vitest';
import { createHttpConnector } from '../../../src/connectors/http/create-http-connector.ts';
import type { HttpTargetConfig } from '../../../src/domain/target/target.ts';
import { type EndpointServer, type Handler, httpTarget, startEndpoint } from './endpoint-server.ts';

let server: EndpointServer | undefined;
afterEach(() => server?.close());

const withToken = { auth: { kind: 'bearer', token: 's3cret' } } as const;

async function check(handle: Handler, changes: Partial<HttpTargetConfig> = {}) {
  server = await startEndpoint(handle);
  return createHttpConnector(httpTarget(server.url, { ...withToken, ...changes })).check();
}

describe('checking an http target', () => {
  it.each([{ ok: true }, { subjects: [] }])('accepts %j', async (answer) => {
    const lines = await check(() => answer);

    expect(lines).toMatchObject([
      { level: 'ok', subject: 'address', message: expect.stringContaining('127.0.0.1') },
      { level: 'ok', subject: 'endpoint' },
    ]);
    expect(JSON.parse(server?.calls[0]?.body ?? '')).toEqual({
      version: 1,
      action: 'check',
      subjects: [],
    });
  });

  it.each([{ ok: false }, { ok: false, subjects: [] }, {}, [], { subjects: [{ ref: '1' }] }])(
    'finds a problem in %j',
    async (answer) => {
      const lines = await check(() => answer);

      expect(lines.at(-1)).toMatchObject({ level: 'problem', subject: 'endpoint' });
    },
  );

  it('finds a problem in refused credentials', async () => {
    const lines = await check((_, response) => void response.writeHead(401).end());

    expect(lines.at(-1)).toMatchObject({
      level: 'problem',
      subject: 'endpoint',
      message: expect.stringContaining('correct bearer, basic or hmac'),
    });
  });

  it('finds a problem in an address that is out of reach, and does not call it', async () => {
    const lines = await check(() => ({ ok: true }), { allowPrivate: false });

    expect(lines).toMatchObject([
      { level: 'problem', subject: 'address', message: expect.stringContaining('allow_private') },
    ]);
    expect(server?.calls).toHaveLength(0);
  });

  it('finds a problem in a name that does not resolve', async () => {
    const connector = createHttpConnector(httpTarget('https://crm.example/', withToken), {
      lookup: () => Promise.reject(new Error('ENOTFOUND')),
    });

    expect(await connector.check()).toMatchObject([
      { level: 'problem', subject: 'address', message: expect.stringContaining('crm.example') },
    ]);
  });

  it('warns if anyone could call the endpoint, and notes where it is not re-queried', async () => {
    const lines = await check(() => ({ ok: true }), { auth: { kind: 'none' }, verify: 'none' });

    expect(lines).toMatchObject([
      { level: 'warning', subject: 'auth' },
      { level: 'note', subject: 'verify' },
      { level: 'ok' },
      { level: 'ok' },
    ]);
  });
});
