// Signing in and out in a real browser: by a real OpenID provider, and by a link.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUnwrite, type Unwrite } from '../../../../demo/unwrite.ts';
import { axeViolations } from '../helpers/console/axe.ts';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { freePort } from '../helpers/free-port.ts';
import {
  type OperatorProvider,
  SSO_CLIENT,
  startOperatorProvider,
} from '../helpers/http/operator-provider.ts';
import { makeTestStore, storeKinds } from '../helpers/stores/test-store.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const USERS = {
  anna: { email: 'anna@example.com', email_verified: true, roles: ['staff', 'privacy-team'] },
  ada: { email: 'ada@example.com', email_verified: true, roles: ['privacy-admins'] },
  nils: { email: 'nils@example.com', email_verified: true, roles: ['staff'] },
};
const KINDS = await storeKinds();

describe.skipIf(!hasChromium()).each(KINDS)(
  'signing in to the console, on a %s store',
  { timeout: 60_000 },
  (kind) => {
    const folder = makeTemporaryFolder();
    let browser: Browser;
    let unwrite: Unwrite;
    let provider: OperatorProvider;
    let url: string;
    beforeAll(async () => {
      buildConsole();
      const port = String(await freePort());
      url = `http://localhost:${port}`;
      const redirectUris = [`${url}/operator/v1/sign-in/callback`];
      provider = await startOperatorProvider({ redirectUris, users: USERS, asks: true });
      const { environment } = await makeTestStore(kind);
      unwrite = await startUnwrite(folder.path, {
        ...environment,
        PORT: port,
        UNWRITE_PUBLIC_URL: url,
        UNWRITE_LOG_LEVEL: 'error',
        UNWRITE_OPERATOR_SSO_ISSUER: provider.url,
        UNWRITE_OPERATOR_SSO_CLIENT_ID: SSO_CLIENT.id,
        UNWRITE_OPERATOR_SSO_CLIENT_SECRET: SSO_CLIENT.secret,
        UNWRITE_OPERATOR_SSO_ROLES: '{ operator: [privacy-team], admin: [privacy-admins] }',
      });
      browser = await launchChromium();
    }, 180_000);
    afterAll(async () => {
      await browser?.close();
      await unwrite?.stop();
      await provider?.close();
      folder.remove();
    });

    const linkFor = (name: string) =>
      (unwrite.command('console', 'link', '--role', 'operator', '--as', name) as { url: string })
        .url;

    async function signOn(context: BrowserContext, account: string, path = ''): Promise<Page> {
      const page = await context.newPage();
      await page.goto(`${url}/console${path}`);
      await page.getByRole('link', { name: 'Sign in with your company account' }).click();
      await page.getByLabel('Account').fill(account);
      await page.getByRole('button', { name: 'Log in' }).click();
      return page;
    }

    async function signOut(page: Page): Promise<void> {
      await page
        .getByRole('button', { name: /@example\.com|olga/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/\/operator\/sign-in/);
    }

    it('a company account leads back to the requested page, with the role of the claim', async () => {
      const context = await browser.newContext();
      const page = await signOn(context, 'anna', '/audit?by=operators');
      await page.waitForURL(`${url}/console/audit?by=operators`);
      await page.getByRole('button', { name: /anna@example\.com\s*Operator/ }).waitFor();
      await page.getByRole('cell', { name: 'Operator signed in' }).first().waitFor();
      await page.getByText('operator:anna@example.com').first().waitFor();
      await context.close();
    });

    it('is refused for an account whose claim has no role, and the page says so', async () => {
      const context = await browser.newContext();
      const page = await signOn(context, 'nils');
      await page.getByText(/role/).first().waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.goto(`${url}/console`);
      await page.waitForURL(/\/operator\/sign-in/);
      await context.close();
    });

    it('signing out ends the session wherever it is open, at once and without reload', async () => {
      const here = await browser.newContext();
      const page = await signOn(here, 'anna');
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      // The same session, as if its cookie had been taken along.
      const there = await browser.newContext({ storageState: await here.storageState() });
      const other = await there.newPage();
      await other.goto(`${url}/console/requests`);
      await other.getByText('Live', { exact: true }).first().waitFor();
      await signOut(page);
      await other.waitForURL(/\/operator\/sign-in\?return_to=%2Fconsole%2Frequests/);
      await other.goto(`${url}/console`);
      await other.waitForURL(/\/operator\/sign-in/);
      await here.close();
      await there.close();
    });

    it('lists where one is signed in, and ends it there', async () => {
      const [here, there] = [await browser.newContext(), await browser.newContext()];
      const page = await signOn(here, 'anna');
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      const other = await signOn(there, 'anna');
      await other.getByText('Live', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: /anna/ }).first().click();
      await page.getByRole('menuitem', { name: 'Your sessions' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('this one').waitFor();
      expect(await dialog.getByRole('listitem').count()).toBeGreaterThan(1);
      expect(await dialog.getByText('ada@example.com').count()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      for (
        let left = await dialog.getByRole('button', { name: 'End', exact: true }).count();
        left > 0;
        left--
      ) {
        await dialog.getByRole('button', { name: 'End', exact: true }).first().click();
        await expect
          .poll(() => dialog.getByRole('button', { name: 'End', exact: true }).count())
          .toBe(left - 1);
      }
      await other.waitForURL(/\/operator\/sign-in/);
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await here.close();
      await there.close();
    });

    it('an admin sees the sessions of everybody', async () => {
      const [here, there] = [await browser.newContext(), await browser.newContext()];
      await signOn(there, 'anna').then((other) => other.waitForURL(`${url}/console`));
      const page = await signOn(here, 'ada');
      await page.getByRole('button', { name: /ada/ }).first().click();
      await page.getByRole('menuitem', { name: 'Your sessions' }).click();
      await page.getByLabel('Show everyone’s sessions').check();
      await page.getByRole('dialog').getByText('anna@example.com').first().waitFor();
      await here.close();
      await there.close();
    });

    it('a link signs in once, and does not work a second time', async () => {
      const link = linkFor('olga');
      const here = await browser.newContext();
      const page = await here.newPage();
      await page.goto(link);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      // Neither in the address nor in what the browser keeps.
      const code = new URL(link).hash.slice('#code='.length);
      expect(page.url()).not.toContain(code);
      expect(JSON.stringify(await here.storageState())).not.toContain(code);
      const there = await browser.newContext();
      const replay = await there.newPage();
      await replay.goto(link);
      await replay.getByText('has been used already').waitFor();
      expect(await there.cookies()).toEqual([]);
      expect(await axeViolations(replay)).toEqual([]);
      await here.close();
      await there.close();
    });
  },
);
