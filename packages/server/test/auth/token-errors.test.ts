import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Credentials } from '../helpers/http/api.ts';
import { rawRequest, send } from '../helpers/http/raw-socket.ts';
import {
  basic,
  encode,
  type Format,
  postToken,
  tokenFields,
} from '../helpers/http/token-request.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

const FORMATS: readonly Format[] = ['json', 'form'];
const WRONG = { client_secret: 'unwrite_wrong' };

let service: TestService;
let acme: Credentials;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
// Failures are counted by client: with a client of its own no test meets another's throttle.
async function freshClient(): Promise<Credentials> {
  acme = await service.client('acme');
  return acme;
}

/** The contract's shape for JSON, that of RFC 6749 5.2 for a form; the same status in both. */
function expectError(format: Format, answer: Answer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('pragma')).toBe('no-cache');
  expect(answer.body).toEqual(
    format === 'json'
      ? { error: { code: status, message: expect.stringMatching(/\w/) } }
      : { error: code, error_description: expect.stringMatching(/\w/) },
  );
}

describe.each(FORMATS)('a token request in %s', (format) => {
  const post = (body: string | Record<string, string>, headers?: Record<string, string>) =>
    postToken(service.url, format, body, headers);

  it('a request whose grant type is missing or empty is refused with 400', async () => {
    for (const grant_type of [undefined, '']) {
      const answer = await post(tokenFields(await freshClient(), { grant_type }));
      expectError(format, answer, 400, 'invalid_request');
    }
  });

  it('a request with another grant type is refused with 400', async () => {
    for (const grant_type of ['password', 'authorization_code', 'CLIENT_CREDENTIALS']) {
      const answer = await post(tokenFields(await freshClient(), { grant_type }));
      expectError(format, answer, 400, 'unsupported_grant_type');
    }
  });

  it('a request with a missing or empty credential is refused with 401', async () => {
    for (const missing of ['client_id', 'client_secret']) {
      for (const value of [undefined, '']) {
        const answer = await post(tokenFields(await freshClient(), { [missing]: value }));
        expectError(format, answer, 401, 'invalid_client');
      }
    }
  });

  it('a request with a wrong secret is refused with 401, without a challenge if Basic was not tried', async () => {
    const answer = await post(tokenFields(await freshClient(), WRONG));

    expectError(format, answer, 401, 'invalid_client');
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  it('a request that tried Basic is refused with 401 and a Basic challenge', async () => {
    const fields = tokenFields(await freshClient(), {
      client_id: undefined,
      client_secret: undefined,
    });
    const broken = Buffer.from('%zz:%zz').toString('base64');
    for (const authorization of [
      basic(acme.client_id, 'wrong'),
      'Basic',
      'Basic !!!',
      `Basic ${broken}`,
    ]) {
      const answer = await post(fields, { authorization });
      expectError(format, answer, 401, 'invalid_client');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
    }
  });

  it('a request with the secret of another client is refused with 401', async () => {
    const { client_secret } = await service.client('globex');
    const answer = await post(tokenFields(await freshClient(), { client_secret }));
    expectError(format, answer, 401, 'invalid_client');
  });

  it('a request with a secret both by Basic and in the body is refused with 400', async () => {
    const fields = tokenFields(await freshClient());
    const authorization = basic(acme.client_id, acme.client_secret);
    expectError(format, await post(fields, { authorization }), 400, 'invalid_request');
  });

  it('a request whose client_id differs from that of Basic is refused with 400', async () => {
    const fields = tokenFields(await freshClient(), {
      client_id: 'other',
      client_secret: undefined,
    });
    const authorization = basic(acme.client_id, acme.client_secret);
    expectError(format, await post(fields, { authorization }), 400, 'invalid_request');
  });

  it('a request without an audience is refused with 400', async () => {
    const answer = await post(tokenFields(await freshClient(), { audience: undefined }));
    expectError(format, answer, 400, 'invalid_request');
  });

  it('a request for an unknown audience is refused with 400', async () => {
    const answer = await post(tokenFields(await freshClient(), { audience: 'https://elsewhere' }));
    expectError(format, answer, 400, 'invalid_target');
  });

  it('the grant type is checked before the credentials, and those before the audience', async () => {
    const wrong = tokenFields(await freshClient(), {
      ...WRONG,
      grant_type: 'password',
      audience: 'https://elsewhere',
    });
    expectError(format, await post(wrong), 400, 'unsupported_grant_type');
    const granted = { ...wrong, grant_type: 'client_credentials' };
    expectError(format, await post(granted), 401, 'invalid_client');
    const known = { ...granted, client_secret: acme.client_secret };
    expectError(format, await post(known), 400, 'invalid_target');
  });

  it('a repeated field is refused before the grant type is checked', async () => {
    const body =
      format === 'json'
        ? '{"grant_type":"password","client_id":"a","client_id":"a"}'
        : 'grant_type=password&client_id=a&client_id=a';
    expectError(format, await post(body), 400, 'invalid_request');
  });

  it('an unknown client and a wrong secret are refused in the same bytes', async () => {
    const wrong = tokenFields(await freshClient(), WRONG);
    const unknown = { ...wrong, client_id: `cli_${'0'.repeat(24)}` };
    const [one, other] = [await post(wrong), await post(unknown)];

    expect(other.status).toBe(one.status);
    expect(other.text).toBe(one.text);
    const names = (answer: Answer) => [...answer.headers.keys()];
    expect(names(other)).toEqual(names(one));
    expect(other.headers.get('content-length')).toBe(one.headers.get('content-length'));
  });

  it('the refusal does not echo what was sent', async () => {
    const marked = tokenFields(await freshClient(), {
      client_id: 'marker-id',
      client_secret: 'marker-secret',
    });
    expect((await post(marked)).text).not.toContain('marker');
    const audience = tokenFields(acme, { audience: 'marker-audience' });
    expect((await post(audience)).text).not.toContain('marker');
  });

  it('a request with two Authorization headers is refused with 400', async () => {
    const type = format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
    const fields = tokenFields(await freshClient(), {
      client_id: undefined,
      client_secret: undefined,
    });
    const body = encode(format, fields);
    const headers = [
      'Host: localhost',
      'Connection: close',
      `Content-Type: ${type}`,
      `Content-Length: ${body.length}`,
      `Authorization: ${basic(acme.client_id, acme.client_secret)}`,
      `Authorization: ${basic('c', 'd')}`,
    ];
    const request = rawRequest('POST /oauth/token HTTP/1.1', headers, body);
    const [answer] = await send(service.url, request);
    expect(answer?.status).toBe(400);
  });
});

describe('a token request in JSON', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a text', '"client_credentials"'],
    ['null', 'null'],
    ['a NUL', '{"client_id":"\\u0000"}'],
    ['a lone surrogate', '{"client_id":"\\ud800"}'],
  ])('a body that is %s is refused with 400', async (_, body) => {
    expectError('json', await postToken(service.url, 'json', body), 400, 'invalid_request');
  });

  it.each(['grant_type', 'client_id', 'client_secret', 'audience'])(
    'a request whose %s is not a string is refused with 400, whatever else is wrong',
    async (name) => {
      for (const value of [null, 1, true, [], ['x'], {}]) {
        const body = JSON.stringify({ grant_type: 'password', [name]: value });
        const answer = await postToken(service.url, 'json', body);
        expectError('json', answer, 400, 'invalid_request');
        expect(answer.body.error.message).toContain(name);
      }
    },
  );
});

describe('a token request as a form that is not well encoded', () => {
  it.each(['%zz', '%ff', '%00', '%'])('is refused, not repaired: %s', async (broken) => {
    const good = new URLSearchParams(tokenFields(await freshClient())).toString();
    const answer = await postToken(service.url, 'form', `${good}&x=${broken}`);
    expectError('form', answer, 400, 'invalid_request');
  });
});
