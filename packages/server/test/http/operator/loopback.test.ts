// Where a sign-in link works: in front of the machine, unless the settings allow more.
import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../../../src/http/operator/loopback.ts';
import { safeReturnTo } from '../../../src/http/operator/sign-in/return-to.ts';
import { useInstallation } from '../../cli/use-installation.ts';
import { expectError } from '../../helpers/http/error-shape.ts';
import { codeOf, openBrowser } from '../../helpers/http/operator-browser.ts';

const LINK = '/operator/v1/sign-in/link';

describe('a sign-in link', () => {
  const { json, serve, unwrite } = useInstallation();
  let url: string;
  beforeAll(async () => {
    await unwrite('client', 'create', '--controller', 'acme');
    ({ url } = await serve());
  });
  const newCode = async () =>
    codeOf((await json('console', 'link', '--role', 'viewer', '--as', 'vera')).url);
  const redeem = async (headers: Record<string, string>, code?: string) =>
    openBrowser(url).call(LINK, {
      method: 'POST',
      headers,
      body: { code: code ?? (await newCode()) },
    });

  it('is refused behind a proxy, and stays usable', async () => {
    const code = await newCode();
    for (const name of [
      'forwarded',
      'via',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'X-Real-IP',
      'CF-Connecting-IP',
      'x-forwarded-anything',
      'True-Client-IP',
      'X-Envoy-External-Address',
      'X-Azure-ClientIP',
      'Client-IP',
      'CDN-Loop',
      'X-Host',
      'X-Original-Host',
      'X-Of-A-Proxy-To-Come',
    ]) {
      const message = expectError(await redeem({ [name]: '127.0.0.1' }, code), 403);
      expect(message).toContain(`came through a proxy (${name.toLowerCase()})`);
      expect(message).toContain('operator_links: anywhere');
    }
    expect((await redeem({}, code)).status).toBe(200);
  });

  it('is refused by a name that is not loopback, as after DNS rebinding', async () => {
    const { port } = new URL(url);
    const code = await newCode();
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      'localhost.evil.example',
      `0.0.0.0:${port}`,
      '192.168.0.1',
      'unwrite.test',
      `localhost@evil.example:${port}`,
      '127.0.0.1 evil.example',
      '127.999.0.1',
    ]) {
      expect(expectError(await redeem({ host }, code), 403)).toContain('not localhost');
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST']) {
      expect(isLoopbackHost(host), host).toBe(true);
    }
    expect((await redeem({ host: `localhost:${port}` }, code)).status).toBe(200);
  });

  it('is refused to a page of another origin', async () => {
    expectError(await redeem({ origin: 'https://evil.example' }), 403);
    expectError(await redeem({ 'sec-fetch-site': 'cross-site' }), 403);
  });

  it('is refused for a while after many that did not work, whichever came', async () => {
    const wrong = () => redeem({}, 'a'.repeat(43));
    const answers = [];
    for (let n = 0; n < 12; n++) answers.push(await wrong());
    expectError(answers[0] as never, 403);
    const last = answers.at(-1);
    expect(last && expectError(last, 429)).toContain('wait');
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    const refused = await json('audit', 'list', '--action', 'operator.sign_in_refused');
    expect(refused.length).toBeLessThan(12);
    expect(refused[0]).toMatchObject({ actor: 'system' });
  });

  it('redirects only to pages of the console', () => {
    for (const page of ['/console', '/console/', '/console/requests?status=held', '/console#a']) {
      expect(safeReturnTo(page)).toBe(page);
    }
    for (const evil of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/console\\..\\evil',
      '/consoleevil',
      '/console/../operator/v1/sign-in/sso',
      '/console/\t/evil',
      '/console/..//evil.example/',
      'javascript:alert(1)',
      '',
      '/console@evil.example',
      `/console/${'a'.repeat(2000)}`,
      '/console/%2e%2e/operator',
      undefined,
      ['/console'],
      { a: 1 },
    ]) {
      expect(safeReturnTo(evil), String(evil)).toBe('/console');
    }
  });
});

describe('the page for signing in', () => {
  const { serve, unwrite } = useInstallation();
  it('runs only its own code, cannot be framed, and does not put the code into the address', async () => {
    await unwrite('client', 'create', '--controller', 'acme');
    const { url } = await serve();
    const page = await openBrowser(url).call('/operator/sign-in?return_to=//evil.example');
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    for (const tag of ['style', 'script']) {
      const [, inside = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page.text) ?? [];
      expect(policy).toContain(`${tag}-src 'sha256-${hash('sha256', inside, 'base64')}'`);
    }
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).toContain('unwrite console link');
    expect(page.text).not.toContain('evil');
    expect(page.setCookies).toEqual([]);
  });
});

describe('operator_links', () => {
  const { json, serve, unwrite } = useInstallation();
  it('may allow links behind a proxy, over https', async () => {
    await unwrite('client', 'create', '--controller', 'acme');
    const flags = ['--operator-links', 'anywhere', '--operator-url', 'https://erase.example'];
    const { url } = await serve(...flags);
    const { url: link } = await json('console', 'link', '--role', 'admin', '--as', 'ada', ...flags);
    expect(link).toMatch(/^https:\/\/erase\.example\/operator\/sign-in#code=/);
    const browser = openBrowser(url);
    const headers = { host: 'erase.example', 'x-forwarded-for': '203.0.113.7' };
    const answer = await browser.call(LINK, {
      method: 'POST',
      headers: { ...headers, origin: 'https://erase.example' },
      body: { code: codeOf(link) },
    });
    expect(answer.setCookies[0]).toMatch(
      /^__Host-unwrite_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await browser.call('/operator/v1/session', { headers })).status).toBe(200);
    // The cookie of https is not taken from plain http on loopback, nor the other way round.
    expect((await browser.call('/operator/v1/session')).status).toBe(401);
  });
});

describe('operator_links: off', () => {
  const { json, serve, unwrite } = useInstallation();
  it('makes and takes none', async () => {
    await unwrite('client', 'create', '--controller', 'acme');
    const { url: link } = await json('console', 'link', '--role', 'admin', '--as', 'ada');
    const server = await serve('--operator-links', 'off');
    const refused = await openBrowser(server.url).redeem(link);
    expect(expectError(refused, 403)).toContain('turned off');
    await server.kill('SIGTERM');
    const off = await unwrite('console', 'link', '--role', 'admin', '--operator-links', 'off');
    expect([off.exitCode, off.stderr]).toEqual([1, expect.stringContaining('operator_links')]);
  });

  it('ends the sessions of links that were used before, with the next start', async () => {
    const before = await serve();
    const { url: link } = await json('console', 'link', '--role', 'admin', '--as', 'ada');
    const browser = openBrowser(before.url);
    await browser.redeem(link);
    expect((await browser.call('/operator/v1/session')).status).toBe(200);
    await before.kill('SIGTERM');
    await serve('--operator-links', 'off');
    expectError(await browser.call('/operator/v1/session'), 401);
    expect(await json('operator', 'session', 'list', '--operator-links', 'off')).toEqual([]);
  });
});
