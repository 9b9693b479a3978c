import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, call } from '../helpers/http/api.ts';
import { makeController } from '../helpers/http/controller.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ domain: 'erasure.example.com' });
});
afterAll(() => service.close());

/** One success of each of the four endpoints. */
async function successes(of: TestService): Promise<Answer[]> {
  const acme = await makeController(of);
  const body = requestBody();
  return [
    await acme.discovery(),
    await acme.create(body),
    await acme.status(body.subject_request_id),
    await acme.cancel(body.subject_request_id),
  ];
}

describe('every success of the four endpoints', () => {
  it('carries the processor domain and the signature placeholder', async () => {
    const answers = await successes(service);
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 202]);
    for (const { headers } of answers) {
      expect(headers.get('X-OpenDSR-Processor-Domain')).toBe('erasure.example.com');
      expect(headers.get('X-OpenDSR-Signature')).toBe('not-yet-implemented');
    }
  });

  it('names the host of the public address if no domain is configured', async () => {
    const other = await startService({ publicUrl: 'https://unwrite.example.org:8443' });
    try {
      for (const { headers } of await successes(other)) {
        expect(headers.get('X-OpenDSR-Processor-Domain')).toBe('unwrite.example.org');
      }
    } finally {
      await other.close();
    }
  });

  it('is JSON in UTF-8 with its length and a request id', async () => {
    for (const { headers, text } of await successes(service)) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
      expect(headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    }
  });

  it('carries them on HEAD too', async () => {
    const token = await service.token();
    const answer = await call(`${service.url}/discovery`, { method: 'HEAD', token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('X-OpenDSR-Processor-Domain')).toBe('erasure.example.com');
    expect(answer.headers.get('X-OpenDSR-Signature')).toBe('not-yet-implemented');
  });
});

it('no page of another origin may read an answer: secrets and tokens have no place in browsers', async () => {
  const token = await service.token();
  const origin = 'https://shop.example.com';
  for (const path of [
    '/discovery',
    '/requests',
    '/oauth/token',
    '/certificate.pem',
    '/receipts/keys',
  ]) {
    const asked = { origin, 'access-control-request-method': 'POST' };
    const answers = [
      await call(service.url + path, { method: 'OPTIONS', headers: asked }),
      await call(service.url + path, { token, headers: { origin } }),
    ];
    for (const { headers } of answers) {
      const names = [...headers.keys()];
      expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  }
});
