// A company's identity provider for operators: a real OpenID provider on loopback, with a confidential client for
// Unwrite. Whoever the test says is sitting at the browser has typed the password.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import Provider from 'oidc-provider';
import { freePort } from '../free-port.ts';
import { rsaKey } from './rsa-keys.ts';

export const SSO_CLIENT = { id: 'unwrite', secret: 'the secret of Unwrite at its provider' };

export interface OperatorProvider {
  readonly url: string;
  /** Who logs in from now on. */
  user: string;
  /** A path that is answered with 503 from now on. */
  broken: string | undefined;
  /** From now on it signs with another key, and its endpoints are below this path. */
  change(below: string): Promise<void>;
  close(): Promise<void>;
}

export interface OperatorProviderOptions {
  /** Of Unwrite, after the sign-on. */
  readonly redirectUris: readonly string[];
  /** By name: their claims, which scope `profile` asks for. */
  readonly users: Record<string, Record<string, unknown>>;
  /** By user info alone, as the specification has it; or in the ID token too. */
  readonly claimsAt?: 'userinfo' | 'id token';
  /** For a real browser: a page that asks who it is, instead of taking `user`. */
  readonly asks?: boolean;
}

export async function startOperatorProvider(
  options: OperatorProviderOptions,
): Promise<OperatorProvider> {
  const { redirectUris, users, claimsAt = 'id token', asks = false } = options;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const names = [...new Set(Object.values(users).flatMap((claims) => Object.keys(claims)))];
  const state: { user: string; broken?: string | undefined } = {
    user: Object.keys(users)[0] ?? '',
  };

  let keys = 0;
  async function makeProvider(below = ''): Promise<Provider> {
    const key = await rsaKey(keys);
    const jwk = { ...key, kid: `provider-key-${++keys}`, alg: 'RS256', use: 'sig' };
    return new Provider(url, {
      jwks: { keys: [jwk] },
      routes: {
        authorization: `${below}/auth`,
        token: `${below}/token`,
        userinfo: `${below}/me`,
        jwks: `${below}/jwks`,
      },
      cookies: { keys: ['only for tests'] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      clients: [
        { client_id: SSO_CLIENT.id, client_secret: SSO_CLIENT.secret, redirect_uris: redirectUris },
      ],
      claims: { openid: ['sub'], profile: names, email: [] },
      conformIdTokenClaims: claimsAt === 'userinfo',
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...users[id] }) }),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      async loadExistingGrant({ oidc }) {
        const { accountId } = oidc.session;
        const grant = new oidc.provider.Grant({ clientId: SSO_CLIENT.id, accountId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
      features: { devInteractions: { enabled: false } },
    });
  }

  let provider = await makeProvider();
  let answer = provider.callback();
  const server = createServer(async (request, response) => {
    if (state.broken !== undefined && request.url?.startsWith(state.broken)) {
      response.writeHead(503).end('down for maintenance');
      return;
    }
    if (!request.url?.startsWith('/interaction/')) {
      answer(request, response);
      return;
    }
    if (asks && request.method === 'GET') {
      response.setHeader('content-type', 'text/html').end(FORM);
      return;
    }
    const accountId = asks ? await typedIn(request) : state.user;
    const result = { login: { accountId, remember: false } };
    await provider.interactionFinished(request, response, result);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url,
    get user() {
      return state.user;
    },
    set user(name) {
      state.user = name;
    },
    get broken() {
      return state.broken;
    },
    set broken(path) {
      state.broken = path;
    },
    async change(below) {
      provider = await makeProvider(below);
      answer = provider.callback();
    },
    close: () => close(server),
  };
}

const FORM =
  '<form method="post"><label>Account <input name="account"></label><button>Log in</button></form>';

async function typedIn(request: IncomingMessage): Promise<string> {
  const parts = await Array.fromAsync(request, String);
  return new URLSearchParams(parts.join('')).get('account') ?? '';
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
