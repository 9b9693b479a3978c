// Operators sign on with their company's identity provider, by a real one.
import { describe, expect, it } from 'vitest';
import { expectError } from '../../helpers/http/error-shape.ts';
import { openBrowser } from '../../helpers/http/operator-browser.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { CALLBACK, START, useSso } from './use-sso.ts';

const ROLES = '{ viewer: [privacy-viewers], operator: [privacy-team], admin: [privacy-admins] }';
const USERS = {
  'user-1': { email: 'anna@example.com', email_verified: true, roles: ['staff', 'privacy-team'] },
  'user-2': {
    email: 'ada@example.com',
    email_verified: true,
    roles: ['privacy-viewers', 'privacy-admins'],
  },
  'user-3': { email: 'nils@example.com', roles: ['staff', 'not privacy-admins', 'admin'] },
  'user-4': { email: 'none@example.com', email_verified: true },
  'user-5': { email: 'ada@example.com', email_verified: false, roles: 'privacy-viewers' },
  'user-6': { email: '<script>alert(1)</script>', roles: ['staff'] },
};

for (const kind of await storesInMatrix('http/operator/sso')) {
  describe(`single sign-on of operators on ${kind}`, () => {
    const use = useSso(kind, { users: USERS, roles: ROLES });
    const { signOn, untilCallback, finish, json } = use;
    const session = async (browser: ReturnType<typeof openBrowser>) =>
      (await browser.call('/operator/v1/session')).body;

    it('signs a person in with the role that the mapping says', async () => {
      const { browser, answer } = await signOn('user-1', `${START}?return_to=/console/requests`);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/requests']);
      const cookies = answer.setCookies.join('\n');
      expect(cookies).toMatch(/unwrite_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict/);
      expect(cookies).toMatch(/unwrite_login_\d+=; .*Max-Age=0/);
      expect(await session(browser)).toMatchObject({ name: 'anna@example.com', role: 'operator' });
      const [row] = await json('audit', 'list', '--action', 'operator.signed_in');
      expect(row).toMatchObject({ actor: 'operator:anna@example.com' });
      expect(JSON.stringify(row)).toContain('user-1');
    });

    it('takes the highest role, and uses the subject as name if the address is not verified', async () => {
      expect(await session((await signOn('user-2')).browser)).toMatchObject({
        name: 'ada@example.com',
        role: 'admin',
      });
      expect(await session((await signOn('user-5')).browser)).toMatchObject({
        name: 'user-5',
        role: 'viewer',
      });
    });

    it('refuses who has no mapped role, and says why on a page', async () => {
      for (const user of ['user-3', 'user-4']) {
        const { browser, answer } = await signOn(user);
        expect(answer.status).toBe(403);
        expect(answer.headers.get('content-type')).toContain('text/html');
        expect(answer.text).toContain('has no role here: the claim &quot;roles&quot;');
        expect([...browser.cookies.keys()]).toEqual([]);
        expectError(await browser.call('/operator/v1/session'), 401);
      }
      const [row] = await json('audit', 'list', '--action', 'operator.sign_in_refused');
      expect(row).toMatchObject({ actor: 'operator:none@example.com' });
      const { answer } = await signOn('user-6');
      expect(answer.text).not.toContain('<script>alert');
    });

    it('binds the sign-on to the browser that began it', async () => {
      const browser = use.browser();
      const callback = await untilCallback(browser, 'user-2');
      // Login CSRF: the attacker's callback in the victim's browser, with no sign-on, or one of its own.
      const victim = use.browser();
      const stranger = await finish(victim, callback);
      expect([stranger.status, stranger.setCookies.length]).toEqual([403, 1]);
      expect(stranger.text).toContain('begun in another browser');
      await victim.call(START);
      const other = await finish(victim, callback);
      expect(other.status).toBe(403);
      expect([...victim.cookies.keys()]).toEqual([]);
      expect((await finish(browser, callback)).status).toBe(303);
    });

    it('accepts a callback once, and none that was changed', async () => {
      const browser = use.browser();
      const callback = await untilCallback(browser, 'user-2');
      const before = new Map(browser.cookies);
      const changed = (name: string, value: string) => {
        const url = new URL(callback);
        url.searchParams.set(name, value);
        return url;
      };
      for (const [name, value] of [
        ['state', 'another'],
        ['iss', 'https://evil.example'],
        ['error', 'access_denied'],
      ] as const) {
        const answer = await finish(browser, changed(name, value));
        expect(answer.status, name).toBe(403);
        for (const [cookie, text] of before) browser.cookies.set(cookie, text);
      }
      expect((await finish(browser, callback)).status).toBe(303);
      const replay = openBrowser(use.url());
      for (const [cookie, text] of before) replay.cookies.set(cookie, text);
      expect((await finish(replay, callback)).status).toBe(403);
    });

    it('takes no ticket that it did not seal', async () => {
      const browser = use.browser();
      const callback = await untilCallback(browser, 'user-2');
      const [[name, ticket] = ['', '']] = browser.cookies;
      const bytes = Buffer.from(ticket, 'base64url');
      bytes[20] = Number(bytes[20]) ^ 1;
      for (const forged of [bytes.toString('base64url'), '', 'e30', 'a'.repeat(3000)]) {
        browser.cookies.set(name, forged);
        expect((await finish(browser, callback)).status).toBe(403);
      }
    });

    it('redirects to no other site', async () => {
      const evil = encodeURIComponent('//evil.example/console');
      const { answer } = await signOn('user-1', `${START}?return_to=${evil}`);
      expect(answer.headers.get('location')).toBe('/console');
    });

    it('uses PKCE, state and nonce, and asks for no more than it needs', async () => {
      const away = await use.browser().call(START);
      const query = new URL(String(away.headers.get('location'))).searchParams;
      expect(query.get('code_challenge_method')).toBe('S256');
      expect(query.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      expect(query.get('state')).toMatch(/^[\w-]{43}$/);
      expect(query.get('nonce')).toMatch(/^[\w-]{43}$/);
      expect(query.get('scope')).toBe('openid profile email');
      expect(query.get('redirect_uri')).toBe(`${use.url()}${CALLBACK}`);
      const [cookie = ''] = away.setCookies;
      expect(cookie).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=600$/);
      const again = await use.browser().call(START);
      expect(new URL(String(again.headers.get('location'))).searchParams.get('state')).not.toBe(
        query.get('state'),
      );
    });

    it('leaves links to the command line, and is offered on the page', async () => {
      const browser = use.browser();
      const { url: link } = await json('console', 'link', '--role', 'viewer', '--as', 'vera');
      expect((await browser.redeem(link)).status).toBe(200);
      const page = await browser.call('/operator/sign-in?return_to=/console/audit');
      expect(page.text).toContain(`href="${START}?return_to=%2Fconsole%2Faudit"`);
      expect((await browser.call('/operator/v1/sign-in')).body).toEqual({
        single_sign_on: true,
        links: 'loopback',
      });
    });
  });
}

describe('single sign-on without a mapping', () => {
  const { signOn } = useSso('sqlite', { users: USERS, roles: undefined });
  it('refuses everybody', async () => {
    for (const user of Object.keys(USERS)) expect((await signOn(user)).answer.status).toBe(403);
  });
});

describe('single sign-on with claims only in the user info', () => {
  const { signOn } = useSso('sqlite', { users: USERS, roles: ROLES, claimsAt: 'userinfo' });
  it('asks there', async () => {
    const { browser, answer } = await signOn('user-2');
    expect(answer.status, answer.text).toBe(303);
    const { body } = await browser.call('/operator/v1/session');
    expect(body).toMatchObject({ name: 'ada@example.com', role: 'admin' });
  });
});

describe('single sign-on whose provider is away', () => {
  const use = useSso('sqlite', { users: USERS, roles: ROLES });
  it('says so, and opens no session', async () => {
    const browser = use.browser();
    const callback = await use.untilCallback(browser, 'user-1');
    await use.provider().close();
    const back = await use.finish(browser, callback);
    expect(back.status).toBe(503);
    expect(back.text).toContain('does not answer');
    expect(browser.cookies.size).toBe(0);
  });
});

describe('single sign-on whose provider answers that it is down', () => {
  const use = useSso('sqlite', { users: USERS, roles: ROLES, claimsAt: 'userinfo' });
  it.each(['/token', '/me'])(
    'by %s is not a failed sign-in of the person, who can sign in as soon as it is up again',
    async (broken) => {
      use.provider().broken = broken;
      for (let n = 0; n < 13; n++) {
        const browser = use.browser();
        const back = await use.finish(browser, await use.untilCallback(browser, 'user-1'));
        expect(back.status).toBe(503);
        expect(back.text).toContain('does not answer');
      }
      use.provider().broken = undefined;
      expect((await use.signOn('user-1')).answer.status).toBe(303);
      expect(await use.json('audit', 'list', '--action', 'operator.sign_in_refused')).toEqual([]);
    },
  );
});

describe('a flood of sign-ons', () => {
  const use = useSso('sqlite', { users: USERS, roles: ROLES });
  it('is refused for a while after many that failed, before anything is asked of the provider', async () => {
    const browser = use.browser();
    await browser.call(START);
    const ticket = new Map(browser.cookies);
    const wrong = () => {
      for (const [name, value] of ticket) browser.cookies.set(name, value);
      return browser.call(`${CALLBACK}?code=x&state=y`);
    };
    let last = await wrong();
    for (let n = 0; n < 12; n++) last = await wrong();
    expect(last.status).toBe(429);
    expect(last.headers.get('content-type')).toContain('text/html');
    expect(last.headers.get('retry-after')).not.toBeNull();
  });
});

describe('single sign-on by address, as with Google', () => {
  const { signOn } = useSso('sqlite', {
    users: USERS,
    roles: '{ admin: [ada@example.com, nils@example.com] }',
    flags: ['--operator-sso-role-claim', 'email'],
  });
  it('accepts only addresses that the provider has verified', async () => {
    expect((await signOn('user-2')).answer.status).toBe(303);
    for (const unverified of ['user-3', 'user-5']) {
      expect((await signOn(unverified)).answer.status).toBe(403);
    }
  });
});
