import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { makeTestStore, storeKinds } from '../helpers/stores/test-store.ts';
import { type ConsoleWorld, makeConsoleWorld, type SignedIn } from './every-state.ts';

const KINDS = await storeKinds();

describe.skipIf(!hasChromium()).each(KINDS)(
  'what an admin does in the console, on a %s store',
  { timeout: 120_000 },
  (kind) => {
    let world: ConsoleWorld;
    let browser: Browser;
    let admin: SignedIn;
    beforeAll(async () => {
      buildConsole();
      const { environment } = await makeTestStore(kind);
      [world, browser] = await Promise.all([makeConsoleWorld(environment), launchChromium()]);
      admin = await world.signIn(browser, 'admin');
    }, 240_000);
    afterAll(async () => {
      await browser?.close();
      await world?.close();
    });

    it('confirms what was done by hand, and the request is completed with a receipt', async () => {
      const { page } = admin;
      const id = await world.requestOf('acme', 'in_progress');
      await page.goto(`${world.url}/console/requests/acme/${id}`);
      await page.getByRole('button', { name: 'Confirm …' }).click();
      await page.getByRole('textbox', { name: 'Note' }).fill('cabinet 3, shredded');
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await page.getByText('Signed receipt').waitFor({ timeout: 30_000 });
      await page.getByText('cabinet 3, shredded').first().waitFor();
    });

    it('retains for a legal reason', async () => {
      const { page } = admin;
      const id = await world.requestOf('globex', 'in_progress');
      await page.goto(`${world.url}/console/requests/globex/${id}`);
      await page.getByRole('button', { name: 'Retain …' }).click();
      await page.getByRole('textbox', { name: 'Legal basis' }).fill('GDPR 17(3)(e)');
      await page.getByRole('textbox', { name: 'Reason' }).fill('a claim is pending');
      await page.getByRole('button', { name: 'Retain', exact: true }).click();
      await page.getByText('GDPR 17(3)(e)').first().waitFor();
    });

    it('starts a request now, and sees it complete', async () => {
      const { page } = admin;
      const id = await world.requestOf('globex', 'pending');
      await page.goto(`${world.url}/console/requests/globex/${id}`);
      await page.getByRole('button', { name: 'Start now' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
      await page.getByText('Searched again: nothing left').waitFor({ timeout: 30_000 });
    });

    it('reveals an identity for a reason, which is in the audit log', async () => {
      const { page } = admin;
      const id = await world.requestOf('northwind', 'in_progress');
      await page.goto(`${world.url}/console/requests/northwind/${id}`);
      await page.getByRole('button', { name: 'Reveal' }).first().click();
      await page.getByRole('textbox', { name: 'Reason' }).fill('the controller asked');
      await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click();
      await page.getByText(/someone\d+@example\.net/).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText(/someone\d+@example\.net/).waitFor({ state: 'detached' });
      await page.getByText('Identity revealed').waitFor();
    });

    it('previews, and retries at a target that is down', async () => {
      const { page } = admin;
      const card = page.getByRole('region', { name: 'Task at crm' });
      await card.getByText(/cannot be reached \(ECONNREFUSED\)/).waitFor();
      await card.getByText('The target is tried again automatically').waitFor();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('dialog').getByText('crm').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Retry now' }).click();
      await page.getByText('Will be tried again in a moment').waitFor();
    });

    it('makes a client whose secret is shown once, makes another secret, and revokes', async () => {
      const { page } = admin;
      await page.goto(`${world.url}/console/controllers/acme`);
      await page.getByRole('button', { name: 'New client' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Copy the secret now').waitFor();
      const secret = await dialog.locator('dd').nth(1).innerText();
      expect(secret.length).toBeGreaterThan(20);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.reload();
      await page.getByRole('button', { name: 'New secret' }).first().waitFor();
      expect(await page.content()).not.toContain(secret);
      await page.getByRole('button', { name: 'New secret' }).first().click();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('button', { name: 'Revoke' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Revoked', { exact: true }).first().waitFor();
    });

    it('makes a controller, and filters by it in the address', async () => {
      const { page } = admin;
      await page.goto(`${world.url}/console/controllers`);
      await page.getByRole('button', { name: 'New controller' }).click();
      await page.getByLabel('Id', { exact: true }).fill('initech');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/controllers\/initech/);
      await page.getByRole('link', { name: 'Its requests' }).click();
      await page.waitForURL(/requests\?controller=initech/);
      await page.getByText('No request matches these filters').waitFor();
    });

    it('pauses and resumes one target, and checks it', async () => {
      const { page } = admin;
      await page.goto(`${world.url}/console/targets/shop`);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByRole('heading', { name: 'Plan' }).waitFor({ timeout: 30_000 });
    });

    it('verifies the audit log', async () => {
      const { page } = admin;
      await page.goto(`${world.url}/console/audit`);
      await page.getByRole('button', { name: 'Verify now' }).click();
      await page
        .getByRole('heading', { name: 'Unchanged since it was sealed' })
        .waitFor({ timeout: 30_000 });
    });

    it('gives the focus back to the button that a dialog was opened with', async () => {
      const { page } = admin;
      await page.goto(`${world.url}/console/controllers`);
      const button = page.getByRole('button', { name: 'New controller' });
      await button.focus();
      for (const close of ['Escape', 'Enter']) {
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor();
        if (close === 'Enter') await page.getByRole('button', { name: 'Cancel' }).focus();
        await page.keyboard.press(close);
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        const focused = () => page.evaluate('document.activeElement?.textContent');
        await expect.poll(focused).toBe('New controller');
      }
    });

    it('finds its way by keys: search, help, rows and pages', async () => {
      const { page } = admin;
      const id = await world.requestOf('globex', 'completed');
      await page.goto(`${world.url}/console/requests`);
      await page.getByRole('table').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Keyboard shortcuts').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await page.keyboard.type(id);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText(id).click();
      await page.waitForURL(new RegExp(id));
      await page.keyboard.press('g');
      await page.keyboard.press('r');
      await page.waitForURL(/\/console\/requests$/);
      await page.getByRole('table').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/console\/requests\/\w+\/[\w-]+$/);
    });

    it('finds the requests of a person, who is in no address', async () => {
      const { page } = admin;
      await page.keyboard.press('/');
      await page.keyboard.type('SomeOne1@example.net');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').locator('li').first().waitFor();
      expect(page.url()).not.toContain('example.net');
      await page.keyboard.press('Escape');
    });

    it('signs out, and the page cannot be read any more', async () => {
      const { page } = admin;
      await page.getByRole('button', { name: /olga/ }).first().click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/\/operator\/sign-in/);
      await page.goto(`${world.url}/console`);
      await page.waitForURL(/\/operator\/sign-in/);
    });
  },
);
