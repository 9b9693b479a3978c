import { createHmac, randomUUID } from 'node:crypto';
import { exportSPKI, importJWK } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { type Answer, call } from '../helpers/http/api.ts';
import { decodePart, encodePart, signWith } from '../helpers/http/forge-jwt.ts';
import { type Listener, startListener } from '../helpers/http/listener.ts';
import {
  AUDIENCE,
  EXTENSION,
  startIssuer,
  type TestIssuer,
  trusting,
} from '../helpers/http/sso-issuer.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

const ACME = 'acme' as ControllerId;

let issuer: TestIssuer;
let other: TestIssuer;
let stranger: TestIssuer;
let attacker: Listener;
let service: TestService;

beforeAll(async () => {
  [issuer, other, stranger] = await Promise.all([startIssuer(), startIssuer(), startIssuer()]);
  attacker = await startListener({ keys: [] });
  service = await startService(trusting(issuer, [other, { controllers: ['globex'] }]));
  await service.client('acme');
  await service.client('globex');
});
afterAll(async () => {
  await service.close();
  await Promise.all([issuer.away(), other.away(), stranger.away(), attacker.close()]);
});

const ask = (token: string) => call(`${service.url}/discovery`, { token });
const now = () => Math.floor(Date.now() / 1000);

function expectRefused(answer: Answer): void {
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  expect(answer.body).toEqual({ error: { code: 401, message: expect.stringMatching(/\w/) } });
}

describe('an admin user token', () => {
  it('is accepted as its issuer makes it: the cases below change one thing', async () => {
    expect((await ask(await issuer.token())).status).toBe(200);
  });

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', undefined])(
    'is accepted with typ %s, as providers differ',
    async (typ) => {
      expect((await ask(await issuer.token({ header: { typ } }))).status).toBe(200);
    },
  );

  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('is accepted with %s', async (alg) => {
    const maker = await startIssuer();
    await maker.rotate(alg);
    const trustful = await startService(trusting(maker));
    try {
      await trustful.client('acme');
      const token = await maker.token();
      expect((await call(`${trustful.url}/discovery`, { token })).status).toBe(200);
    } finally {
      await trustful.close();
      await maker.away();
    }
  });

  it('is accepted with several audiences, ours among them', async () => {
    const aud = ['https://userinfo.example', AUDIENCE];
    expect((await ask(await issuer.token({ claims: { aud } }))).status).toBe(200);
  });
});

describe('admin user tokens', () => {
  it('a token from an unknown issuer is refused, and that issuer is not called', async () => {
    expectRefused(await ask(await stranger.token()));
    expect(stranger.asked).toEqual([]);
  });

  it('a token of a controller whose contract has ended is refused with 403', async () => {
    const closing = await startService(trusting(issuer));
    try {
      await closing.client('acme');
      const token = await issuer.token();
      expect((await call(`${closing.url}/discovery`, { token })).status).toBe(200);
      await closing.installation.store.tenantWriter.closeController(
        ACME,
        'ended',
        Date.now(),
        'operator:olga',
      );
      const status = async () => (await call(`${closing.url}/discovery`, { token })).status;
      await expect.poll(status, { timeout: 15_000 }).toBe(403);
    } finally {
      await closing.close();
    }
  });

  it('a token for an organisation that only another issuer may act for is refused with 403', async () => {
    const globex = { claims: { org_id: 'globex' } };
    expect((await ask(await issuer.token(globex))).status).toBe(403);
    expect((await ask(await other.token(globex))).status).toBe(200);
  });

  it('a token that one issuer signs in the name of another is refused', async () => {
    expectRefused(await ask(await other.token({ claims: { iss: issuer.url } })));
  });

  it.each([
    ['another audience', { aud: 'https://elsewhere.example' }],
    ['no audience', { aud: undefined }],
    ['an audience that only begins like ours', { aud: `${AUDIENCE}.evil.example` }],
    ['no subject', { sub: undefined }],
    ['no expiry', { exp: undefined }],
    ['an issuer with a slash more', { iss: 'https://login.acme.example/' }],
  ])('a token with %s is refused', async (_, claims) => {
    expectRefused(await ask(await issuer.token({ claims })));
  });

  it('a token that has expired or is not valid yet is refused', async () => {
    expectRefused(await ask(await issuer.token({ claims: { exp: now() - 60 } })));
    expectRefused(await ask(await issuer.token({ claims: { nbf: now() + 60 } })));
  });

  it.each([
    ['typ ID', { claims: { typ: 'ID' }, header: { typ: 'JWT' } }],
    ['a nonce', { claims: { nonce: 'n-0S6' }, header: { typ: 'JWT' } }],
    ['an at_hash', { claims: { at_hash: 'MTIz' }, header: { typ: 'JWT' } }],
    ['a c_hash', { claims: { c_hash: 'MTIz' }, header: { typ: undefined } }],
    ['the header typ id+jwt', { header: { typ: 'id+jwt' } }],
    ['the header typ logout+jwt', { header: { typ: 'logout+jwt' } }],
  ])('a token of another kind, by %s, is refused', async (_, changes) => {
    expectRefused(await ask(await issuer.token(changes)));
  });

  it('a token with alg none is refused', async () => {
    const header = encodePart({ ...(await decodeOf(0)), alg: 'none' });
    const unsigned = `${header}.${encodePart(await decodeOf(1))}`;
    expectRefused(await ask(`${unsigned}.`));
  });

  it('a token with HS256 and the public key as the secret is refused', async () => {
    const { keys } = (await call(`${issuer.url}/jwks`)).body;
    const key = await importJWK(keys[0], 'ES256', { extractable: true });
    const secrets = [JSON.stringify(keys[0]), await exportSPKI(key as CryptoKey)];
    for (const secret of secrets) {
      const header = { ...(await decodeOf(0)), alg: 'HS256' };
      const signer = (signed: string) => createHmac('sha256', secret).update(signed).digest();
      const answer = await ask(signWith(header, await decodeOf(1), signer));
      expectRefused(answer);
      // Before any key is looked for: no key of the issuer can make it acceptable.
      expect(answer.body.error.message).toContain('its algorithm is not accepted');
    }
  });

  it('a token that brings its own keys is refused, and nothing is fetched', async () => {
    for (const header of [
      { jku: `${attacker.url}/jku` },
      { x5u: `${attacker.url}/x5u` },
      { jwk: { kty: 'EC' } },
      { kid: `${attacker.url}/kid` },
    ]) {
      expectRefused(await ask(await issuer.token({ header })));
    }
    expect(attacker.asked).toEqual([]);
  });

  it('a token with an extension that must be understood is refused', async () => {
    const header = { crit: [EXTENSION], [EXTENSION]: 1 };
    expectRefused(await ask(await issuer.token({ header })));
  });

  it('a token without its signature, or with one bit of it changed, is refused', async () => {
    const token = await issuer.token();
    const [header, claims, signature = ''] = token.split('.');
    expectRefused(await ask(`${header}.${claims}.`));
    const bytes = Buffer.from(signature, 'base64url');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expectRefused(await ask(`${header}.${claims}.${bytes.toString('base64url')}`));
  });

  it('a flood of tokens with unknown kids is refused with one refetch of the keys', async () => {
    const fetches = () => issuer.asked.filter((path) => path === '/jwks').length;
    const before = fetches();
    const flood = Array.from({ length: 200 }, () =>
      issuer.token({ header: { kid: randomUUID() } }),
    );
    for (const answer of await Promise.all((await Promise.all(flood)).map(ask))) {
      expectRefused(answer);
    }
    expect(fetches() - before).toBeLessThanOrEqual(1);
    expect((await ask(await issuer.token())).status).toBe(200);
  });
});

async function decodeOf(index: 0 | 1) {
  return decodePart(await issuer.token(), index);
}
