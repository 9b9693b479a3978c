// What a foreign page can make a signed-in browser send, and which roles may do what.
import type { FastifyRequest } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkOrigin } from '../../../src/http/operator/csrf.ts';
import { useInstallation } from '../../cli/use-installation.ts';
import { expectError } from '../../helpers/http/error-shape.ts';
import { type OperatorBrowser, openBrowser } from '../../helpers/http/operator-browser.ts';

const SIGN_OUT = '/operator/v1/sign-out';

describe('a call that changes something with the cookie', () => {
  const { json, serve, unwrite } = useInstallation();
  let url: string;
  let browser: OperatorBrowser;
  let token: string;
  beforeAll(async () => {
    await unwrite('client', 'create', '--controller', 'acme');
    ({ url } = await serve());
    browser = openBrowser(url);
    await browser.redeem((await json('console', 'link', '--role', 'admin', '--as', 'ada')).url);
    token = (await browser.call('/operator/v1/session')).body.csrf_token;
  });

  const post = (headers: Record<string, string>) =>
    browser.call(SIGN_OUT, { method: 'POST', headers });

  it('is refused without the token, or with another one', async () => {
    expect(expectError(await post({}), 403)).toContain('X-Unwrite-CSRF');
    for (const wrong of ['', 'undefined', token.slice(1), `${token}a`, token.toUpperCase()]) {
      expectError(await post({ 'x-unwrite-csrf': wrong }), 403);
    }
    const other = openBrowser(url);
    await other.redeem((await json('console', 'link', '--role', 'admin', '--as', 'eve')).url);
    const foreign = (await other.call('/operator/v1/session')).body.csrf_token;
    expectError(await post({ 'x-unwrite-csrf': foreign }), 403);
  });

  it('is refused from another origin, even with the token', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${url}.evil.example` },
      { origin: `http://127.0.0.1:${Number(new URL(url).port) + 1}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const answer = await post({ ...(headers as object), 'x-unwrite-csrf': token });
      expect(expectError(answer, 403)).toContain('another origin');
    }
    expect((await browser.call('/operator/v1/session')).status).toBe(200);
  });

  it('says what to do if a proxy changes Host', async () => {
    const headers = { origin: 'https://erase.example.com', 'sec-fetch-site': 'same-origin' };
    const answer = await post({ ...headers, 'x-unwrite-csrf': token });
    expect(expectError(answer, 403)).toContain('let it pass Host as it came');
  });

  it('is accepted if a proxy adds the default port to Host', () => {
    const check = (origin: string, host: string) => () =>
      checkOrigin({ headers: { origin, host } } as FastifyRequest);
    expect(check('https://erase.example.com', 'Erase.example.com:443')).not.toThrow();
    expect(check('http://erase.example.com', 'erase.example.com:80')).not.toThrow();
    expect(check('https://erase.example.com', 'erase.example.com:80')).toThrow('another origin');
    expect(check('https://erase.example.com:8443', 'erase.example.com')).toThrow('another origin');
    expect(check('https://erase.example.com', 'erase.example.com:4430')).toThrow('another origin');
  });

  it('is not opened to other origins by CORS', async () => {
    const asked = await browser.call(SIGN_OUT, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    const answer = await browser.call('/operator/v1/session', {
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is refused as a form, which needs no CORS', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
      const answer = await browser.call('/operator/v1/operator-clients', {
        method: 'POST',
        headers: { 'content-type': type, 'x-unwrite-csrf': token },
        body: { name: 'evil', role: 'admin' },
      });
      expectError(answer, 415);
    }
  });

  it('needs the role that the route names', async () => {
    for (const role of ['viewer', 'operator']) {
      const low = openBrowser(url);
      await low.redeem((await json('console', 'link', '--role', role, '--as', 'vera')).url);
      const answer = await low.post('/operator/v1/operator-clients', { name: 'x', role: 'admin' });
      expect(expectError(answer, 403)).toBe(
        `This needs the role admin, and vera has the role ${role}`,
      );
      expectError(await low.call('/operator/v1/operator-clients'), 403);
    }
  });

  it('goes through from the console itself', async () => {
    const made = await browser.post('/operator/v1/operator-clients', {
      name: 'nightly report',
      role: 'viewer',
      expires_in_days: 30,
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body.token).toMatch(/^unwrite_operator_[\w-]{43}$/);
    const unknown = { name: 'x', role: 'viewer', expire_in_days: 30 };
    const refused = await browser.post('/operator/v1/operator-clients', unknown);
    expect(expectError(refused, 400)).toContain('expires_in_days');
    expect((await browser.post(SIGN_OUT)).status).toBe(204);
  });
});
