import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Credentials, call } from '../helpers/http/api.ts';
import { basic, type Format, postToken, tokenFields } from '../helpers/http/token-request.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

const FORMATS: readonly Format[] = ['json', 'form'];

let service: TestService;
let acme: Credentials;

beforeAll(async () => {
  service = await startService({ tokenLifetime: '10m', audience: 'https://erase.example' });
  acme = await service.client('acme');
});
afterAll(() => service.close());

describe.each(FORMATS)('a token request in %s', (format) => {
  it('is answered with exactly the token, its type and its lifetime', async () => {
    const answer = await postToken(service.url, format, tokenFields(acme));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 600,
    });
  });

  it('is answered in JSON that no cache keeps', async () => {
    const { headers } = await postToken(service.url, format, tokenFields(acme));

    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(headers.get('www-authenticate')).toBeNull();
  });

  it('gives a token that opens the API for its own controller', async () => {
    const { body } = await postToken(service.url, format, tokenFields(acme));

    expect((await call(`${service.url}/discovery`, { token: body.access_token })).status).toBe(200);
  });

  it('may carry its credentials by HTTP Basic', async () => {
    const fields = tokenFields(acme, { client_id: undefined, client_secret: undefined });
    const authorization = basic(acme.client_id, acme.client_secret);

    expect((await postToken(service.url, format, fields, { authorization })).status).toBe(200);
  });

  it('may repeat the same client_id next to HTTP Basic', async () => {
    const fields = tokenFields(acme, { client_secret: undefined });
    const authorization = basic(acme.client_id, acme.client_secret);

    expect((await postToken(service.url, format, fields, { authorization })).status).toBe(200);
  });

  it('may write Basic in any case, as RFC 9110 says', async () => {
    const fields = tokenFields(acme, { client_secret: undefined });
    const authorization = basic(acme.client_id, acme.client_secret).replace('Basic', 'bASIC');

    expect((await postToken(service.url, format, fields, { authorization })).status).toBe(200);
  });

  it('may state its charset and carry fields that are not known', async () => {
    const type = format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
    const fields = tokenFields(acme, { scope: 'all' });
    const headers = { 'content-type': `${type}; charset=UTF-8` };

    expect((await postToken(service.url, format, fields, headers)).status).toBe(200);
  });

  it('gives another token every time', async () => {
    const first = await postToken(service.url, format, tokenFields(acme));
    const second = await postToken(service.url, format, tokenFields(acme));

    expect(first.body.access_token).not.toBe(second.body.access_token);
  });
});

describe('the token endpoint', () => {
  it('ignores a trailing slash', async () => {
    const answer = await call(`${service.url}/oauth/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(tokenFields(acme)),
    });
    expect(answer.status).toBe(200);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])(
    'answers %s with 405 and what it takes',
    async (method) => {
      const answer = await call(`${service.url}/oauth/token`, { method });

      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST');
      expect(answer.body).toEqual({ error: { code: 405, message: expect.any(String) } });
    },
  );

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/json; charset=latin1'])(
    'answers content type %s with 415',
    async (type) => {
      const fields = tokenFields(acme);
      const answer = await postToken(service.url, 'json', fields, { 'content-type': type });

      expect(answer.status).toBe(415);
      expect(answer.body).toEqual({ error: { code: 415, message: expect.any(String) } });
    },
  );

  it.each(FORMATS)('answers a body in %s beyond 262,144 bytes with 413', async (format) => {
    const fields = tokenFields(acme, { padding: 'x'.repeat(262_144) });

    expect((await postToken(service.url, format, fields)).status).toBe(413);
  });

  it('answers a form of a hundred thousand fields with 400, without parsing it', async () => {
    const used = process.cpuUsage();
    const answer = await postToken(service.url, 'form', 'a&'.repeat(131_072));
    const { user } = process.cpuUsage(used);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_request');
    expect(user / 1000).toBeLessThan(150);
  });
});
