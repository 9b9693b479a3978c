import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Credentials, call, getToken } from '../helpers/http/api.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: Credentials;
let issuer: string;

beforeAll(async () => {
  service = await startService({ tokenLifetime: '15m', audience: 'https://erase.example' });
  acme = await service.client('acme');
  issuer = service.config.publicUrl;
});
afterAll(() => service.close());

function verify(token: string) {
  const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
  return jwtVerify(token, keys, {
    issuer,
    audience: 'https://erase.example',
    typ: 'at+jwt',
    algorithms: ['ES256'],
    requiredClaims: ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'],
  });
}

describe('an access token', () => {
  it('is verified by a standard library with the published keys', async () => {
    const { payload } = await verify(await getToken(acme));
    expect(payload.client_id).toBe(acme.client_id);
  });

  it('has the header of RFC 9068, and nothing more', async () => {
    expect(decodeProtectedHeader(await getToken(acme))).toEqual({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: expect.stringMatching(/^[\w-]+$/),
    });
  });

  it('has the claims of RFC 9068, its controller and the secret that it was got with', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { payload } = await verify(await getToken(acme));

    expect(payload).toEqual({
      iss: issuer,
      aud: 'https://erase.example',
      sub: acme.client_id,
      client_id: acme.client_id,
      controller_id: 'acme',
      secret_id: expect.stringMatching(/^sec_/),
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 900,
      jti: expect.any(String),
    });
    expect(payload.iat).toBeGreaterThanOrEqual(before);
    expect(payload.iat).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('has an id of its own', async () => {
    const tokens = await Promise.all([getToken(acme), getToken(acme)]);
    const [one, other] = await Promise.all(tokens.map(verify));
    expect(one?.payload.jti).not.toBe(other?.payload.jti);
  });

  it('holds nothing of the secret', async () => {
    const token = await getToken(acme);
    const readable = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(readable.join()).not.toContain(acme.client_secret);
    expect(readable.join()).not.toContain(acme.client_secret.replace('unwrite_', ''));
  });
});

describe('the published keys', () => {
  it('contain only public keys, with their use and algorithm', async () => {
    const { status, body, headers } = await call(`${service.url}/.well-known/jwks.json`);

    expect(status).toBe(200);
    expect(body.keys).toHaveLength(1);
    for (const key of body.keys) {
      expect(key).toEqual({
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        use: 'sig',
        alg: 'ES256',
      });
    }
    expect(headers.get('cache-control')).toMatch(/max-age=60\b/);
  });

  it('contain the key of the token that was just issued', async () => {
    const { kid } = decodeProtectedHeader(await getToken(acme));
    const { body } = await call(`${service.url}/.well-known/jwks.json`);
    expect(body.keys.map((key: { kid: string }) => key.kid)).toContain(kid);
  });
});

describe('the metadata of the authorization server', () => {
  it('says what RFC 8414 asks for, at addresses that answer', async () => {
    const url = `${service.url}/.well-known/oauth-authorization-server`;
    const { status, body } = await call(url);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      issuer,
      token_endpoint: acme.token_url,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    });
    expect((await call(body.jwks_uri)).status).toBe(200);
    expect((await call(body.token_endpoint)).status).toBe(405);
    expect((await call(body.service_documentation)).status).toBeLessThan(400);
  });
});
