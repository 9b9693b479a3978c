// A real OpenID provider on loopback, with users that log in through it.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import * as oauth from 'openid-client';
import { freePort } from '../free-port.ts';
import { rsaKey } from './rsa-keys.ts';

const CLIENT_ID = 'console';

export interface UserTokens {
  readonly accessToken: string;
  readonly idToken: string;
}

export interface TestProvider {
  readonly url: string;
  /** Logs a user in by the authorization code flow with PKCE; the token is for the audience. */
  logIn(user: string): Promise<UserTokens>;
  close(): Promise<void>;
}

/** `users` by name: the claims that their access tokens carry. */
export async function startProvider(
  audience: string,
  users: Record<string, Record<string, unknown>>,
): Promise<TestProvider> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const redirectUri = `${url}/logged-in`;
  const jwk = { ...(await rsaKey(0)), kid: 'provider-key', alg: 'RS256', use: 'sig' };

  const provider = new Provider(url, {
    jwks: { keys: [jwk] },
    cookies: { keys: ['only for tests'] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        redirect_uris: [redirectUri],
      },
    ],
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...users[id] }) }),
    extraTokenClaims: (_, token) => users[token.accountId] ?? {},
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session.accountId;
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId });
      grant.addOIDCScope('openid');
      grant.addResourceScope(audience, 'erase');
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'erase',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });

  const answer = provider.callback();
  const server = createServer(async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      answer(request, response);
      return;
    }
    // The login page: whoever the hint names is believed to have typed the password.
    const { params } = await provider.interactionDetails(request, response);
    const result = { login: { accountId: params.login_hint } };
    await provider.interactionFinished(request, response, result);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  return {
    url,
    async logIn(user) {
      const config = await oauth.discovery(new URL(url), CLIENT_ID, undefined, oauth.None(), {
        execute: [oauth.allowInsecureRequests],
      });
      const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
      const nonce = oauth.randomNonce();
      const start = oauth.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid erase',
        resource: audience,
        login_hint: user,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const end = await follow(start, redirectUri);
      const checks = { pkceCodeVerifier, expectedNonce: nonce };
      const tokens = await oauth.authorizationCodeGrant(config, end, checks);
      return { accessToken: tokens.access_token, idToken: tokens.id_token ?? '' };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A browser in short: follows redirects with cookies until it would leave for the client. */
async function follow(start: URL, end: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let steps = 0; !url.href.startsWith(end); steps++) {
    if (steps > 10) throw new Error(`the login goes in circles at ${url.pathname}`);
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the login stopped: ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}
