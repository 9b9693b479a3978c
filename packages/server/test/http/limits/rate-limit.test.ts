import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { createRateLimit } from '../../../src/http/limits/rate-limit.ts';
import { countRequests } from '../../helpers/databases/database.ts';
import { call } from '../../helpers/http/api.ts';
import { makeController } from '../../helpers/http/controller.ts';
import { expectError } from '../../helpers/http/error-shape.ts';
import { holdOpen, rawRequest, readAnswers } from '../../helpers/http/raw-socket.ts';
import { requestBody } from '../../helpers/http/request-body.ts';
import { postToken, tokenFields } from '../../helpers/http/token-request.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';

const ACME = 'acme' as ControllerId;
const POLICY = '"default";q=20;w=60';

describe('the bucket of a controller', () => {
  let now = 0;
  let nodes = 1;
  beforeEach(() => {
    [now, nodes] = [1000, 1];
  });
  const start = (perMinute = 60) =>
    createRateLimit({ perMinute, nodes: () => nodes, now: () => now });
  const many = (limit: ReturnType<typeof start>, times: number) =>
    Array.from({ length: times }, () => limit.refuse(ACME)).filter((it) => it === undefined).length;

  it('holds a minute of requests, and is filled steadily', () => {
    const limit = start();
    expect(many(limit, 100)).toBe(60);
    now += 999;
    expect(many(limit, 100)).toBe(0);
    now += 10_001;
    expect(many(limit, 100)).toBe(11);
    now += 600_000;
    expect(many(limit, 100)).toBe(60);
  });

  it('is shared out over the nodes, also when they become more or fewer', () => {
    nodes = 3;
    const limit = start();
    expect(many(limit, 100)).toBe(20);
    expect(limit.headers(ACME)).toContain('"default";r=0;t=60');
    nodes = 1;
    now += 30_000;
    expect(many(limit, 100)).toBe(30);
  });

  it('says what is left, and when it is full again', () => {
    const limit = start();
    many(limit, 10);
    expect(limit.headers(ACME)).toEqual([
      'RateLimit-Policy',
      '"default";q=60;w=60',
      'RateLimit',
      '"default";r=50;t=10',
    ]);
  });

  it('lets at least one request pass, however small the share', () => {
    nodes = 5;
    const limit = start(1);
    expect(many(limit, 5)).toBe(1);
    expect(limit.refuse(ACME)?.headers['retry-after']).toBe('60');
  });
});

describe('the rate limit', () => {
  let service: TestService;
  afterEach(() => service.close());

  it('answers 429 with Retry-After on all four endpoints, only to that controller', async () => {
    service = await startService({ rateLimit: 20 });
    const acme = await makeController(service);
    const other = await makeController(service, 'other');
    const id = await acme.created();
    for (let n = 1; n < 20; n++) {
      const answer = n % 2 === 0 ? await acme.status(id) : await acme.discovery();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-policy')).toBe(POLICY);
      expect(answer.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
    }
    const before = countRequests(service);
    for (const ask of [
      acme.discovery,
      () => acme.create(requestBody()),
      () => acme.status(id),
      () => acme.cancel(id),
    ]) {
      const answer = await ask();
      expect(expectError(answer, 429)).toMatch(/at most 20 a minute/);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-3]$/);
      expect(answer.headers.get('ratelimit-policy')).toBe(POLICY);
      expect(answer.headers.get('ratelimit')).toBe(
        `"default";r=0;t=${answer.headers.get('retry-after')}`,
      );
    }
    expect(countRequests(service)).toBe(before);
    expect((await other.discovery()).status).toBe(200);
    expect((await other.create(requestBody())).status).toBe(201);
  });

  it('says on the answers of other routes too what is left', async () => {
    service = await startService({ rateLimit: 10_000 });
    const { token } = await makeController(service);
    const head = () => call(`${service.url}/audit/head`, { token });
    await vi.waitUntil(async () => (await head()).status === 200, { timeout: 20_000 });
    const { headers } = await head();
    expect(headers.get('ratelimit-policy')).toBe('"default";q=10000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
  });

  it('counts all clients of a controller together, after authentication', async () => {
    service = await startService({ rateLimit: 20 });
    const [one, two] = [await makeController(service), await makeController(service)];
    for (let n = 0; n < 30; n++) expect((await call(`${service.url}/discovery`)).status).toBe(401);
    for (let n = 0; n < 10; n++) {
      expect((await one.discovery()).status).toBe(200);
      expect((await two.discovery()).status).toBe(200);
    }
    expect((await one.discovery()).status).toBe(429);
    expect((await two.discovery()).status).toBe(429);
  });

  it('is enforced before the body is read', async () => {
    service = await startService({ rateLimit: 1 });
    const acme = await makeController(service);
    await acme.discovery();
    for (const size of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const type = 'Content-Type: application/json';
      const headers = ['Host: x', `Authorization: Bearer ${acme.token}`, type, size];
      const held = await holdOpen(service.url, [rawRequest('POST /requests HTTP/1.1', headers)]);
      expect(readAnswers(await held.received(/"message"/))[0]?.status).toBe(429);
      held.socket.destroy();
    }
  });

  it.each([
    ['json', { error: { code: 429, message: expect.stringMatching(/at most 5 a minute/) } }],
    ['form', { error: 'temporarily_unavailable', error_description: expect.any(String) }],
  ] as const)('holds for the tokens that a controller gets, as %s', async (format, shape) => {
    service = await startService({ rateLimit: 5 });
    const acme = await service.client('acme');
    const get = () => postToken(service.url, format, tokenFields(acme));
    for (let n = 0; n < 5; n++) expect((await get()).status).toBe(200);
    const refused = await get();
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual(shape);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    // The calls have a bucket of their own, and so has another controller.
    expect((await (await makeController(service, 'other')).discovery()).status).toBe(200);
  });

  it('can be turned off', async () => {
    service = await startService({ rateLimit: 'off' });
    const { headers } = await (await makeController(service)).discovery();
    expect(headers.get('ratelimit-policy')).toBeNull();
  });
});
