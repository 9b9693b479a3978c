import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, postJson } from '../helpers/http/api.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: TestController;
let token: string;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
  token = acme.token;
});
afterAll(() => service.close());

/** Those that fetch refuses to send are tried over raw sockets. */
const SENDABLE = METHODS.filter((method) => !['CONNECT', 'TRACE', 'TRACK'].includes(method));

const PATHS = [
  { path: '/discovery', allow: 'GET, HEAD' },
  { path: '/requests', allow: 'POST' },
  { path: '/requests/0', allow: 'DELETE, GET, HEAD' },
  { path: `/requests/${randomUUID()}`, allow: 'DELETE, GET, HEAD' },
  { path: '/oauth/token', allow: 'POST' },
];

describe('the base address', () => {
  it.each(['', '/v2'])('may be the origin followed by %j, with the whole API', async (prefix) => {
    const base = `${service.url}${prefix}`;
    const body = requestBody();
    const one = `${base}/requests/${body.subject_request_id}`;
    expect((await call(`${base}/discovery`, { token })).status).toBe(200);
    expect((await postJson(`${base}/requests`, body, token)).status).toBe(201);
    expect((await call(one, { token })).body.request_status).toBe('pending');
    expect((await call(one, { method: 'DELETE', token })).status).toBe(202);
  });

  it('finds the same requests with and without /v2', async () => {
    const id = await acme.created();
    const answer = await call(`${service.url}/v2/requests/${id}`, { token });
    expect(answer.text).toBe((await acme.status(id)).text);
  });

  it('does not serve other versions or OpenGDPR names', async () => {
    for (const path of ['/v1/discovery', '/v3/discovery', '/v2.0/discovery', '/v2/v2/discovery']) {
      expectError(await call(`${service.url}${path}`, { token }), 404);
    }
    for (const path of ['/opengdpr_requests', '/v2/opengdpr_requests', '/opendsr_requests']) {
      expectError(await postJson(`${service.url}${path}`, requestBody(), token), 404);
    }
    const answer = await acme.discovery();
    expect([...answer.headers.keys()].filter((name) => name.includes('gdpr'))).toEqual([]);
  });
});

describe('a trailing slash', () => {
  it.each(['', '/v2'])('is ignored on every route under %j', async (prefix) => {
    const base = `${service.url}${prefix}`;
    const body = requestBody();
    const one = `${base}/requests/${body.subject_request_id}/`;
    expect((await call(`${base}/discovery/`, { token })).status).toBe(200);
    expect((await postJson(`${base}/requests/`, body, token)).status).toBe(201);
    expect((await call(one, { token })).status).toBe(200);
    expect((await call(one, { method: 'DELETE', token })).status).toBe(202);
  });

  it('is ignored on a wrong method too', async () => {
    const answer = await call(`${service.url}/requests/`, { token });
    expectError(answer, 405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('HEAD', () => {
  it('answers as GET without the body', async () => {
    const id = await acme.created();
    for (const path of ['/discovery', `/requests/${id}`, `/v2/requests/${id}/`]) {
      const get = await call(`${service.url}${path}`, { token });
      const head = await call(`${service.url}${path}`, { method: 'HEAD', token });
      expect(head.status).toBe(200);
      expect(head.text).toBe('');
      for (const name of ['content-type', 'content-length', 'x-opendsr-signature']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    }
  });

  it('answers errors as GET does, without the body', async () => {
    const unknown = `${service.url}/requests/${randomUUID()}`;
    const head = await call(unknown, { method: 'HEAD', token });
    expect([head.status, head.text]).toEqual([404, '']);
    expect((await call(unknown, { method: 'HEAD' })).status).toBe(401);
    expect((await call(`${service.url}/nowhere`, { method: 'HEAD' })).status).toBe(404);
  });
});

describe('a path that is not known', () => {
  it.each([
    '/nowhere',
    '/Discovery',
    '/discovery/x',
    '/requests/x/y',
    '//discovery',
    '/v2',
    '/v2/',
    '/.env',
    '/discovery%2f',
    '/%ff',
  ])('is 404 in the error shape, with or without a token: %s', async (path) => {
    const anonymous = await call(`${service.url}${path}`);
    expectError(anonymous, 404);
    expect((await call(`${service.url}${path}`, { token })).text).toBe(anonymous.text);
  });

  it('is 404 with any method', async () => {
    for (const method of SENDABLE) {
      const answer = await call(`${service.url}/nowhere`, { method });
      if (method === 'HEAD') expect(answer.status).toBe(404);
      else expectError(answer, 404);
    }
  });

  it('is not repeated in the answer', async () => {
    const answer = await call(`${service.url}/jane@example.com?email=jane@example.com`);
    expectError(answer, 404);
    expect(answer.text).not.toContain('jane');
  });
});

describe('a wrong method on a known path', () => {
  it.each(PATHS)('is 405 and names those of $path in Allow', async ({ path, allow }) => {
    for (const prefix of path === '/oauth/token' ? [''] : ['', '/v2']) {
      for (const method of SENDABLE.filter((name) => !allow.split(', ').includes(name))) {
        const answer = await call(`${service.url}${prefix}${path}`, { method });
        if (method === 'HEAD') expect(answer.status).toBe(405);
        else expectError(answer, 405);
        expect(answer.headers.get('allow')).toBe(allow);
      }
    }
  });

  it('is 405 whatever the body and the query', async () => {
    const answer = await call(`${service.url}/discovery?x=/requests`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x'.repeat(300_000),
    });
    expectError(answer, 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('a payload or a content type on GET and DELETE', () => {
  it.each(['application/json', 'text/plain', 'nonsense', 'application/json; charset=utf-16'])(
    'is ignored: %s',
    async (type) => {
      const id = await acme.created();
      const headers = { 'content-type': type };
      expect((await call(`${service.url}/discovery`, { token, headers })).status).toBe(200);
      const url = `${service.url}/requests/${id}`;
      expect((await call(url, { token, headers })).status).toBe(200);
      const cancelled = await call(url, { method: 'DELETE', token, headers, body: '{"not json' });
      expect(cancelled.status).toBe(202);
    },
  );

  it('is ignored on DELETE when it is far too large', async () => {
    const url = `${service.url}/requests/${await acme.created()}`;
    const body = 'x'.repeat(2_000_000);
    expect((await call(url, { method: 'DELETE', token, body })).status).toBe(202);
  });
});
