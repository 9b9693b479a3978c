// Single sign-on while something else goes on: another tab signs in too, the provider changes, the store is away.
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createOperatorSso, SignOnRefused } from '../../../src/auth/operator/sso/sso.ts';
import { createTicketSealer } from '../../../src/auth/operator/sso/ticket.ts';
import { StoreUnavailable } from '../../../src/domain/store/store-unavailable.ts';
import type { SignInContext } from '../../../src/http/operator/sign-in/context.ts';
import { registerSso } from '../../../src/http/operator/sign-in/sso.ts';
import { SSO_CLIENT, startOperatorProvider } from '../../helpers/http/operator-provider.ts';
import { follow, useSso } from './use-sso.ts';

const ROLES = '{ viewer: [privacy-viewers], admin: [privacy-admins] }';
const USERS = {
  ada: { email: 'ada@example.com', email_verified: true, roles: ['privacy-admins'] },
  vera: { email: 'vera@example.com', email_verified: true, roles: ['privacy-viewers'] },
};
const LONG = `/operator/v1/sign-in/sso?return_to=/console/${'x'.repeat(990)}`;

describe('single sign-on in several tabs', () => {
  const use = useSso('sqlite', { users: USERS, roles: ROLES });
  const { untilCallback, finish } = use;

  it.each(['first', 'last'])(
    'begun in each is finished in each, the %s one first',
    async (order) => {
      const browser = use.browser();
      const callbacks = [
        await untilCallback(browser, 'ada', '/operator/v1/sign-in/sso?return_to=/console/audit'),
        await untilCallback(browser, 'ada', '/operator/v1/sign-in/sso?return_to=/console/targets'),
        await untilCallback(browser, 'ada'),
      ];
      const places: (string | null)[] = [];
      for (const callback of order === 'first' ? callbacks : callbacks.toReversed()) {
        const answer = await finish(browser, callback);
        expect(answer.status, answer.text).toBe(303);
        places.push(answer.headers.get('location'));
      }
      expect(places.toSorted()).toEqual(['/console', '/console/audit', '/console/targets']);
      expect([...browser.cookies.keys()].filter((name) => /login/.test(name))).toEqual([]);
      expect(await use.json('audit', 'list', '--action', 'operator.sign_in_refused')).toEqual([]);
    },
  );

  it('keeps the newest of many abandoned sign-ons, in a cookie that browsers and proxies accept', async () => {
    const browser = use.browser();
    for (let n = 0; n < 8; n++) await browser.call(LONG);
    const callback = await untilCallback(browser, 'ada', LONG);
    const [[, value] = ['', '']] = browser.cookies;
    expect(value.length).toBeLessThanOrEqual(2048);
    expect((await finish(browser, callback)).status).toBe(303);
  });

  it('takes none of them twice', async () => {
    const browser = use.browser();
    const first = await untilCallback(browser, 'ada');
    await untilCallback(browser, 'ada');
    const before = new Map(browser.cookies);
    expect((await finish(browser, first)).status).toBe(303);
    for (const [name, value] of before) browser.cookies.set(name, value);
    expect((await finish(browser, first)).status).toBe(403);
  });
});

describe('single sign-on whose provider changes', () => {
  const use = useSso('sqlite', { users: USERS, roles: ROLES });

  it('works again at the second attempt after keys and endpoints have changed', async () => {
    expect((await use.signOn('ada')).answer.status).toBe(303);
    const browser = use.browser();
    const before = await use.untilCallback(browser, 'ada');
    await use.provider().change('/v2');
    expect((await use.finish(browser, before)).status).not.toBe(303);
    expect((await use.signOn('ada')).answer.status).toBe(303);
  });

  it('goes by the role that the claim has now', async () => {
    expect((await use.signOn('vera')).answer.status).toBe(303);
    const vera: { roles: string[] } = USERS.vera;
    vera.roles = ['staff'];
    expect((await use.signOn('vera')).answer.status).toBe(403);
  });
});

describe('single sign-on while the store is away', () => {
  const away = () => Promise.reject(new StoreUnavailable('the connection is lost'));

  it.each([
    ['who is confirmed', () => Promise.resolve({ person: {}, returnTo: '/console' })],
    ['who is refused', () => Promise.reject(new SignOnRefused('No role here', 'no role'))],
  ])('is explained on a page to a person %s', async (_, finish) => {
    const app = fastify();
    const logged: Error[] = [];
    const context = {
      sso: { begin: away, rest: () => undefined, finish },
      signIn: { signedOn: away, refused: away },
      throttle: { wait: async () => 0, failed: async () => undefined, passed: () => undefined },
      operatorUrl: 'https://console.example',
      links: 'off',
      unavailable: (_id: string, error: Error) => logged.push(error),
    };
    registerSso(app, context as unknown as SignInContext);
    const answer = await app.inject('/sign-in/callback?code=x&state=y');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      503,
      expect.stringContaining('text/html'),
    ]);
    expect(answer.body).toContain('Sign in again in a moment');
    expect(logged).toEqual([expect.any(StoreUnavailable)]);
    await app.close();
  });
});

describe('single sign-on on a node whose clock is wrong', () => {
  const HOUR_MS = 3_600_000;

  it.each([
    ['takes', 0],
    ['refuses', HOUR_MS],
  ])('%s an ID token by the clock of the store, %d ms after it was issued', async (what, late) => {
    const redirectUri = 'http://127.0.0.1:9/back';
    const provider = await startOperatorProvider({ redirectUris: [redirectUri], users: USERS });
    const clock = () => Date.now() + late;
    const config = {
      issuer: provider.url,
      clientId: SSO_CLIENT.id,
      clientSecret: SSO_CLIENT.secret,
      ...({ clientAuthentication: 'basic', scope: 'openid profile', redirectUri } as const),
      nameClaim: 'email',
      roleClaim: 'roles',
      roles: { viewer: [], operator: [], admin: ['privacy-admins'] },
    };
    const sso = createOperatorSso(config, createTicketSealer(Buffer.alloc(32), clock), clock);
    provider.user = 'ada';
    const { address, tickets } = await sso.begin('/console', undefined);
    const back = await follow(new URL(address), redirectUri);
    const finished = sso.finish(tickets, `${back.pathname}${back.search}`);
    if (what === 'takes') await finished;
    else await expect(finished).rejects.toThrow('OAUTH_JWT_TIMESTAMP_CHECK_FAILED');
    await provider.close();
  });
});
