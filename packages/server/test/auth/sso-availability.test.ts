import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseJwt } from '../../src/auth/jwt.ts';
import { IssuerUnavailable } from '../../src/auth/principal.ts';
import { createSsoVerifier } from '../../src/auth/sso/verify-token.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { call } from '../helpers/http/api.ts';
import { AUDIENCE, startIssuer, type TestIssuer, trusting } from '../helpers/http/sso-issuer.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let issuer: TestIssuer;
let other: TestIssuer;
let service: TestService | undefined;

beforeEach(async () => {
  [issuer, other] = await Promise.all([startIssuer(), startIssuer()]);
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  await Promise.all([issuer.away(), other.away()]);
});

async function start(): Promise<(token: string) => ReturnType<typeof call>> {
  const started = await startService(trusting(issuer, other));
  service = started;
  await started.client('acme');
  return (token) => call(`${started.url}/discovery`, { token });
}

describe('an issuer that is away at start', () => {
  it('delays only its own users', async () => {
    await issuer.away();
    const ask = await start();

    const answer = await ask(await issuer.token());
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.body).toEqual({ error: { code: 503, message: expect.any(String) } });
    // On a busy machine its keys may come with the second try only.
    await vi.waitFor(async () => expect((await ask(await other.token())).status).toBe(200), {
      timeout: 45_000,
    });
    expect((await ask((await service?.token('acme')) ?? '')).status).toBe(200);
  });

  it('serves its users once it is back', async () => {
    await issuer.away();
    let now = Date.now();
    const config = {
      issuer: issuer.url,
      audience: AUDIENCE,
      roleClaim: 'roles',
      role: 'admin',
      organisationClaim: 'org_id',
      controllers: '*' as const,
    };
    const tenants = {
      controller: async (controllerId: ControllerId) => ({
        controllerId,
        name: null,
        ssoOrganisation: null,
        createdTime: 0,
      }),
      controllerOfOrganisation: async () => undefined,
    };
    const away: string[] = [];
    const sso = createSsoVerifier(
      [config],
      tenants,
      () => now,
      (issuer) => away.push(issuer),
    );
    const verify = async () => {
      const token = await issuer.token();
      const jwt = parseJwt(token);
      if (jwt === undefined) throw new Error('not a token');
      return sso.verify(token, jwt);
    };
    await expect(verify()).rejects.toThrow(IssuerUnavailable);
    expect(away).toEqual([issuer.url]);
    await issuer.back();
    now += 10_000;
    expect((await verify()).principal).toEqual({
      controllerId: 'acme',
      actor: `user:jane@${issuer.url}`,
    });
  });
});

describe('an issuer that goes away later', () => {
  it('is still accepted if it is signed with a key that is already known', async () => {
    const ask = await start();
    expect((await ask(await issuer.token())).status).toBe(200);
    await issuer.away();
    expect((await ask(await issuer.token({ claims: { sub: 'john' } }))).status).toBe(200);
  });
});

describe('an issuer that changes its key', () => {
  it('is accepted with the new key at once, and no longer with the old one', async () => {
    const ask = await start();
    expect((await ask(await issuer.token())).status).toBe(200);
    const old = await issuer.token({ claims: { sub: 'john' } });

    await issuer.rotate();
    expect((await ask(await issuer.token())).status).toBe(200);
    expect((await ask(old)).status).toBe(401);
  });

  it('may have several keys at once, also without kids', async () => {
    const first = (await call(`${issuer.url}/jwks`)).body.keys;
    await issuer.rotate();
    const second = (await call(`${issuer.url}/jwks`)).body.keys;
    const bare = [...first, ...second].map(({ kid: _, ...key }) => key);
    issuer.publish({ keys: bare });
    const ask = await start();
    expect((await ask(await issuer.token({ header: { kid: undefined } }))).status).toBe(200);
  });
});
