import * as oauth from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credentials } from '../helpers/http/api.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

let service: TestService;
let acme: Credentials;

beforeAll(async () => {
  service = await startService();
  acme = await service.client('acme');
});
afterAll(() => service.close());

function discover(authentication: oauth.ClientAuth): Promise<oauth.Configuration> {
  return oauth.discovery(
    new URL(service.config.publicUrl),
    acme.client_id,
    undefined,
    authentication,
    { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
  );
}

describe.each([
  ['client_secret_post', oauth.ClientSecretPost],
  ['client_secret_basic', oauth.ClientSecretBasic],
])('openid-client with %s', (_, authentication) => {
  it('discovers the service, gets a token and uses it', async () => {
    const config = await discover(authentication(acme.client_secret));
    const { audience } = acme;
    const tokens = await oauth.clientCredentialsGrant(config, { audience });
    expect(tokens.token_type).toBe('bearer');
    expect(tokens.expiresIn()).toBeGreaterThan(3500);

    const response = await oauth.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(`${acme.base_url}/discovery`),
      'GET',
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ api_version: '2.0' });
  });

  it('understands why it was refused', async () => {
    const config = await discover(authentication('unwrite_wrong'));
    const { audience } = acme;
    const refused = oauth.clientCredentialsGrant(config, { audience });
    await expect(refused).rejects.toMatchObject(
      // The library reads the challenge where there is one, the body where there is none.
      authentication === oauth.ClientSecretBasic
        ? { status: 401, cause: [{ scheme: 'basic' }] }
        : { status: 401, error: 'invalid_client' },
    );
  });
});

describe('openid-client', () => {
  it('understands that an audience is unknown', async () => {
    const config = await discover(oauth.ClientSecretPost(acme.client_secret));
    await expect(
      oauth.clientCredentialsGrant(config, { audience: 'https://elsewhere.example' }),
    ).rejects.toMatchObject({ status: 400, error: 'invalid_target' });
  });
});
