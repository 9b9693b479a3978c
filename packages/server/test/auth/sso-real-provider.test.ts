import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, postJson } from '../helpers/http/api.ts';
import { startProvider, type TestProvider } from '../helpers/http/oidc-provider.ts';
import { AUDIENCE, trusting } from '../helpers/http/sso-issuer.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let provider: TestProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startProvider(AUDIENCE, {
    ada: { roles: ['viewer', 'admin'], org_id: 'acme' },
    viewer: { roles: ['viewer'], org_id: 'acme' },
    nobody: { org_id: 'acme' },
    homeless: { roles: ['admin'] },
    stranger: { roles: ['admin'], org_id: 'globex' },
  });
  service = await startService(trusting(provider));
  await service.client('acme');
  await service.client('globex');
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

const discover = (token: string) => call(`${service.url}/discovery`, { token });

describe('an admin who logged in at a real provider', () => {
  it('creates, reads and cancels requests of the own controller', async () => {
    const { accessToken: token } = await provider.logIn('ada');
    const id = randomUUID();
    const created = await postJson(
      `${service.url}/requests`,
      {
        regulation: 'gdpr',
        subject_request_id: id,
        subject_request_type: 'erasure',
        submitted_time: '2026-11-15T02:00:00Z',
      },
      token,
    );
    expect(created.status).toBe(201);
    expect(created.body.controller_id).toBe('acme');

    const url = `${service.url}/v2/requests/${id}`;
    expect((await call(url, { token })).body.request_status).toBe('pending');
    expect((await call(url, { token: await service.token('acme') })).status).toBe(200);
    expect((await call(url, { token: await service.token('globex') })).status).toBe(404);
    expect((await call(url, { method: 'DELETE', token })).status).toBe(202);
  });

  it('is refused with 401 when the ID token is sent in place of the access token', async () => {
    const { idToken } = await provider.logIn('ada');
    expect(decodeJwt(idToken)).toMatchObject({ iss: provider.url, sub: 'ada' });

    const answer = await discover(idToken);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });
});

describe('settings with the id of the login client as the audience', () => {
  it('do not make its ID tokens access tokens', async () => {
    const loose = await startService(trusting([provider, { audience: 'console' }]));
    try {
      await loose.client('acme');
      const { idToken: token } = await provider.logIn('ada');
      expect(decodeJwt(token).aud).toBe('console');

      const answer = await call(`${loose.url}/discovery`, { token });
      expect(answer.status).toBe(401);
      expect(answer.body.error.message).toContain('ID token');
    } finally {
      await loose.close();
    }
  });
});

describe('a user who logged in at a real provider', () => {
  it.each([
    ['with another role', 'viewer'],
    ['with no roles', 'nobody'],
    ['with no organisation', 'homeless'],
    ['of an organisation that the provider may not speak for', 'stranger'],
  ])('is answered 403 %s', async (_, user) => {
    const answer = await discover((await provider.logIn(user)).accessToken);
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ error: { code: 403, message: expect.any(String) } });
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });
});

describe('a provider that is not in the settings', () => {
  it('has its tokens refused', async () => {
    const other = await startProvider(AUDIENCE, { ada: { roles: ['admin'], org_id: 'acme' } });
    try {
      expect((await discover((await other.logIn('ada')).accessToken)).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});
