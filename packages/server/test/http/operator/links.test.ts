// Signing in by a one-time link, and what does not sign anybody in.
import { beforeAll, describe, expect, it } from 'vitest';
import { useInstallation } from '../../cli/use-installation.ts';
import { expectError } from '../../helpers/http/error-shape.ts';
import { codeOf, openBrowser } from '../../helpers/http/operator-browser.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';

for (const kind of await storesInMatrix('http/operator/links')) {
  describe(`sign-in links on ${kind}`, () => {
    const { json, inStore, serve, unwrite } = useInstallation(kind);
    let url: string;
    beforeAll(async () => {
      await unwrite('client', 'create', '--controller', 'acme');
      ({ url } = await serve());
    });
    const link = async (role = 'operator', name = 'olga'): Promise<string> =>
      (await json('console', 'link', '--role', role, '--as', name)).url;

    it('sign a person in, with the name and the role of the link', async () => {
      const browser = openBrowser(url);
      const address = await link();
      expect(address).toMatch(/^http:\/\/localhost:\d+\/operator\/sign-in#code=[\w-]{43}$/);
      const signedIn = await browser.redeem(address);
      expect(signedIn.body).toEqual({ name: 'olga', role: 'operator', return_to: '/console' });
      expect(signedIn.headers.get('cache-control')).toBe('no-store');
      const [cookie = ''] = signedIn.setCookies;
      expect(cookie).toMatch(/^unwrite_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
      const session = await browser.call('/operator/v1/session');
      expect(session.body).toMatchObject({ name: 'olga', role: 'operator', by: 'session' });
      expect(session.body.id).toMatch(/^ses_/);
      expect(Date.parse(session.body.expires_time)).toBeGreaterThan(Date.now() + 11 * 3_600_000);
      const rows = await json('audit', 'list', '--action', 'operator.signed_in');
      expect(rows[0]).toMatchObject({ actor: 'operator:olga' });
      const made = await json('audit', 'list', '--action', 'operator.link_created');
      expect(made[0]).toMatchObject({ actor: 'operator:olga' });
    });

    it('work once: of five who come at the same time, one gets in', async () => {
      const address = await link('viewer', 'vera');
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => openBrowser(url).redeem(address)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.find(({ status }) => status !== 200);
      expect(refused && expectError(refused, 403)).toContain('has been used already');
      expect(refused?.body.error.message).toContain('unwrite console link');
      const rows = await json('audit', 'list', '--action', 'operator.sign_in_refused');
      expect(rows[0]).toMatchObject({ actor: 'operator:vera' });
      expect(JSON.stringify(rows[0])).toContain('used');
    });

    it('are valid for ten minutes', async () => {
      await link('viewer', 'tim');
      const [stored] = await inStore(
        "SELECT expires_time - created_time AS lifetime FROM operator_links WHERE name = 'tim'",
      );
      expect(Number(stored?.lifetime)).toBe(600_000);
    });

    it('are stored only as digests, and so are sessions', async () => {
      const browser = openBrowser(url);
      const address = await link();
      await browser.redeem(address);
      const [secret = ''] = browser.cookies.values();
      const stored = JSON.stringify([
        await inStore('SELECT * FROM operator_links'),
        await inStore('SELECT * FROM operator_sessions'),
        await inStore('SELECT * FROM audit_rows'),
      ]);
      for (const plain of [codeOf(address), secret]) {
        expect(stored).not.toContain(plain);
        const bytes = JSON.stringify(Buffer.from(plain, 'base64url').toJSON().data).slice(1, -1);
        expect(stored).not.toContain(bytes);
      }
    });

    it('links that somebody changed or wrote into the database do not work', async () => {
      const address = await link('viewer', 'mallory');
      await inStore("UPDATE operator_links SET role = 'admin' WHERE name = 'mallory'");
      expect(expectError(await openBrowser(url).redeem(address), 403)).toContain('not known here');
      const used = await link('viewer', 'trudy');
      await openBrowser(url).redeem(used);
      await inStore("UPDATE operator_links SET used_time = NULL WHERE name = 'trudy'");
      expect(expectError(await openBrowser(url).redeem(used), 403)).toContain('not known here');
      const late = await link('viewer', 'late');
      await inStore(
        "UPDATE operator_links SET expires_time = expires_time + 1 WHERE name = 'late'",
      );
      expectError(await openBrowser(url).redeem(late), 403);
    });
  });
}
