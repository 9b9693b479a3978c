import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, call } from '../helpers/http/api.ts';
import { rawRequest, send } from '../helpers/http/raw-socket.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

const ID = '0b0a5cf6-2a41-4e1e-9d0a-6f2b8f0c1d2e';
const ROUTES: readonly (readonly [string, string])[] = ['', '/v2'].flatMap(
  (base): [string, string][] => [
    ['GET', `${base}/discovery`],
    ['HEAD', `${base}/discovery`],
    ['POST', `${base}/requests`],
    ['GET', `${base}/requests/${ID}`],
    ['HEAD', `${base}/requests/${ID}`],
    ['DELETE', `${base}/requests/${ID}`],
  ],
);

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token();
});
afterAll(() => service.close());

function expectShape({ body }: Answer): void {
  expect(body).toEqual({ error: { code: 401, message: expect.stringMatching(/\w/) } });
}

describe.each(ROUTES)('%s %s', (method, path) => {
  it('a request without a token is answered 401 and a bare Bearer challenge', async () => {
    const answer = await call(`${service.url}${path}`, { method });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    if (method !== 'HEAD') expectShape(answer);
  });

  it('a request with a bad token is answered 401 and error="invalid_token"', async () => {
    const answer = await call(`${service.url}${path}`, { method, token: 'not.a.token' });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    if (method !== 'HEAD') expectShape(answer);
  });

  it('a request with a good token passes', async () => {
    expect((await call(`${service.url}${path}`, { method, token })).status).not.toBe(401);
  });
});

describe('an Authorization header', () => {
  const sendHeader = (authorization: string) =>
    call(`${service.url}/discovery`, { headers: { authorization } });

  it('may name the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      expect((await sendHeader(`${scheme} ${token}`)).status).toBe(200);
    }
  });

  it('a header with another scheme carries no token, so none was invalid', async () => {
    for (const value of ['Basic YTpi', 'Digest x', `Token ${'x'}`]) {
      const answer = await sendHeader(value);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('is refused with nothing, two things or odd characters after Bearer', async () => {
    for (const value of [
      'Bearer',
      `Bearer ${token} ${token}`,
      `Bearer "${token}"`,
      `Bearer ${token},`,
    ]) {
      const answer = await sendHeader(value);
      expect(answer.status).toBe(401);
      expectShape(answer);
    }
  });

  it('needs a scheme: a token alone is refused', async () => {
    expect((await sendHeader(token)).status).toBe(401);
  });
});

describe('two Authorization headers', () => {
  it.each([
    ['both good', () => [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`]],
    ['the first good', () => [`Authorization: Bearer ${token}`, 'Authorization: Bearer x']],
    ['the second good', () => ['Authorization: Bearer x', `authorization: Bearer ${token}`]],
    [
      'the second hidden behind two thousand others',
      () => [
        `Authorization: Bearer ${token}`,
        ...Array.from({ length: 2000 }, (_, i) => `a${i}: `),
        'AUTHORIZATION: Bearer x',
      ],
    ],
  ])('are refused: %s', async (_, headers) => {
    const lines = ['Host: localhost', 'Connection: close', ...headers()];
    const [answer] = await send(service.url, rawRequest('GET /discovery HTTP/1.1', lines));
    expect(answer?.status).toBe(401);
    expect(answer?.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(JSON.parse(answer?.text ?? '').error.code).toBe(401);
  });
});

describe('a token elsewhere than in the header', () => {
  it.each(['access_token', 'token', 'bearer_token', 'Authorization'])(
    'is ignored in the query string as %s',
    async (name) => {
      const answer = await call(`${service.url}/discovery?${name}=${token}`);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  it('is ignored in a body', async () => {
    for (const [type, body] of [
      ['application/json', JSON.stringify({ access_token: token })],
      ['application/x-www-form-urlencoded', `access_token=${token}`],
    ] as const) {
      const headers = { 'content-type': type };
      const answer = await call(`${service.url}/requests`, { method: 'POST', headers, body });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('is ignored in a cookie', async () => {
    const headers = { cookie: `access_token=${token}` };
    expect((await call(`${service.url}/discovery`, { headers })).status).toBe(401);
  });
});

describe('nothing unauthenticated is parsed', () => {
  it.each(['{', '', '{"a":1,"a":2}', 'x'.repeat(300_000)])('%.20s', async (body) => {
    const answer = await call(`${service.url}/requests`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
    });
    expect(answer.status).toBe(401);
  });
});
