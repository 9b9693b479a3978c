// Sessions of operators: what keeps them, what ends them, and what is no session.
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from '../../cli/use-installation.ts';
import { expectError } from '../../helpers/http/error-shape.ts';
import { type OperatorBrowser, openBrowser } from '../../helpers/http/operator-browser.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';

const SESSION = '/operator/v1/session';
const SESSIONS = '/operator/v1/sessions';

for (const kind of await storesInMatrix('http/operator/sessions')) {
  describe(`sessions of operators on ${kind}`, () => {
    const { json, inStore, serve, unwrite } = useInstallation(kind);
    let url: string;
    beforeAll(async () => {
      await unwrite('client', 'create', '--controller', 'acme');
      ({ url } = await serve(
        '--operator-session-idle',
        '10m',
        '--operator-session-lifetime',
        '1h',
      ));
    });

    async function signedIn(name = 'olga', role = 'operator'): Promise<OperatorBrowser> {
      const browser = openBrowser(url);
      const { url: link } = await json('console', 'link', '--role', role, '--as', name);
      expect((await browser.redeem(link)).status).toBe(200);
      return browser;
    }
    const isSignedIn = async (browser: OperatorBrowser) =>
      (await browser.call(SESSION)).status === 200;
    const idOf = async (browser: OperatorBrowser): Promise<string> =>
      (await browser.call(SESSION)).body.id;

    it('end everywhere on sign-out, and the cookie with them', async () => {
      const browser = await signedIn();
      const stolen = openBrowser(url);
      for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
      expect(await isSignedIn(stolen)).toBe(true);
      const answer = await browser.post('/operator/v1/sign-out');
      expect(answer.status).toBe(204);
      expect(answer.setCookies[0]).toContain('Max-Age=0');
      expect(browser.cookies.size).toBe(0);
      expectError(await stolen.call(SESSION), 401);
      const [row] = await json('audit', 'list', '--action', 'operator.signed_out');
      expect(row).toMatchObject({ actor: 'operator:olga' });
    });

    it('are listed to the person whose they are, and can be ended one by one', async () => {
      const [desk, phone] = [await signedIn('anna'), await signedIn('anna')];
      const other = await signedIn('bert');
      const listed = (await desk.call(SESSIONS)).body.items;
      expect(listed.map(({ name }: { name: string }) => name)).toEqual(['anna', 'anna']);
      const current = listed.filter((it: { is_current: boolean }) => it.is_current);
      expect(current.map((it: { session_id: string }) => it.session_id)).toEqual([
        await idOf(desk),
      ]);
      expectError(await desk.call(`${SESSIONS}?everyone=true`), 403);
      const foreign = `${SESSIONS}/${await idOf(other)}`;
      expectError(await desk.post(foreign, undefined, 'DELETE'), 404);
      const own = `${SESSIONS}/${await idOf(phone)}`;
      expect((await desk.post(own, undefined, 'DELETE')).status).toBe(204);
      expectError(await desk.post(own, undefined, 'DELETE'), 404);
      expect([await isSignedIn(desk), await isSignedIn(phone)]).toEqual([true, false]);

      const admin = await signedIn('ada', 'admin');
      const all = (await admin.call(`${SESSIONS}?everyone=true`)).body.items;
      expect(all.map(({ name }: { name: string }) => name)).toContain('bert');
      expect((await admin.post(foreign, undefined, 'DELETE')).status).toBe(204);
      expect(await isSignedIn(other)).toBe(false);
      const listedHere = await json('operator', 'session', 'list');
      const mine = listedHere.find(({ name }: { name: string }) => name === 'ada');
      await json('operator', 'session', 'end', mine.session_id, '--as', 'root');
      expect(await isSignedIn(admin)).toBe(false);
      const [row] = await json('audit', 'list', '--action', 'operator.signed_out');
      expect(row).toMatchObject({ actor: 'operator:root' });
    });

    it('cannot be written into the database, nor changed there', async () => {
      const browser = await signedIn('mallory', 'viewer');
      const id = await idOf(browser);
      await inStore(`UPDATE operator_sessions SET role = 'admin' WHERE session_id = '${id}'`);
      expectError(await browser.call(SESSION), 401);
      await inStore(`UPDATE operator_sessions SET role = 'viewer' WHERE session_id = '${id}'`);
      expect(await isSignedIn(browser)).toBe(true);
      await inStore(`UPDATE operator_sessions SET name = 'ada' WHERE session_id = '${id}'`);
      expectError(await browser.call(SESSION), 401);
      await inStore(`UPDATE operator_sessions SET name = 'mallory' WHERE session_id = '${id}'`);
      // Neither may the time of the last use be moved, to keep a session alive.
      await inStore(
        `UPDATE operator_sessions SET used_time = used_time + 1 WHERE session_id = '${id}'`,
      );
      expectError(await browser.call(SESSION), 401);
      await expect
        .poll(() => json('alarms', 'list'), { timeout: 10_000 })
        .toContainEqual(expect.objectContaining({ kind: 'row_refused' }));
    });

    it('are refused for made-up, foreign, doubled and huge cookies', async () => {
      const browser = await signedIn();
      const [[name, value] = ['', '']] = browser.cookies;
      for (const cookie of [
        `${name}=${randomBytes(32).toString('base64url')}`,
        `${name}=`,
        `${name}=${value}x`,
        `${name}=${value.toLowerCase()}`,
        `${name}="${value}"`,
        `__Host-unwrite_session=${value}`,
        `unwrite_session=${value}`,
        `${name}=${value}; ${name}=${value}`,
        `${name}=${'a'.repeat(4000)}`,
        `${name}=%00'; DROP TABLE operator_sessions; --`,
        ';'.repeat(4000),
      ]) {
        expectError(await openBrowser(url).call(SESSION, { headers: { cookie } }), 401);
      }
      const huge = { cookie: `${name}=${'a'.repeat(100_000)}` };
      expect((await openBrowser(url).call(SESSION, { headers: huge })).status).toBe(431);
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('have a new id at every sign-in, and the one before is over', async () => {
      const browser = openBrowser(url);
      const name = `unwrite_session_${new URL(url).port}`;
      const planted = randomBytes(32).toString('base64url');
      browser.cookies.set(name, planted);
      const links = ['eve', 'eve'].map((as) =>
        json('console', 'link', '--role', 'viewer', '--as', as),
      );
      const [first, second] = await Promise.all(links);
      await browser.redeem(first.url);
      const before = String(browser.cookies.get(name));
      expect(before).not.toBe(planted);
      await browser.redeem(second.url);
      expect(browser.cookies.get(name)).not.toBe(before);
      expectError(
        await openBrowser(url).call(SESSION, { headers: { cookie: `${name}=${before}` } }),
        401,
      );
    });
  });
}
