// What operators do now and then: alarms, several holds at once, erasing again, keys, restores, rows that others wrote.
import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../helpers/console/axe.ts';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { makeTestStore, storeKinds } from '../helpers/stores/test-store.ts';
import { type ConsoleWorld, makeConsoleWorld } from './every-state.ts';

const KINDS = await storeKinds();
const PATIENCE = { timeout: 60_000 };

describe.skipIf(!hasChromium()).each(KINDS)(
  'what an admin does now and then, on a %s store',
  { timeout: 120_000 },
  (kind) => {
    let world: ConsoleWorld;
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      buildConsole();
      const { environment } = await makeTestStore(kind);
      [world, browser] = await Promise.all([makeConsoleWorld(environment), launchChromium()]);
      ({ page } = await world.signIn(browser, 'admin'));
    }, 240_000);
    afterAll(async () => {
      await browser?.close();
      await world?.close();
    });

    const open = (path: string) => page.goto(`${world.url}/console${path}`);
    /** What the worker does in its time. */
    async function openUntil(path: string, shown: Locator): Promise<void> {
      for (let tries = 0; tries < 15; tries++) {
        await open(path);
        const isShown = await shown.waitFor({ timeout: 5000 }).then(
          () => true,
          () => false,
        );
        if (isShown) return;
      }
      throw new Error(`${path} does not show it`);
    }
    async function choose(item: string): Promise<void> {
      await page.getByRole('button', { name: 'More actions' }).click();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('menuitem', { name: item }).click();
    }

    it('places legal holds on a request and on a person, and lifts one', async () => {
      await open('/requests?status=pending');
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await choose('Place a legal hold');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Ends after').fill('2030-06-30');
      await dialog.getByLabel('Reason').fill('claim 4711 is pending');
      expect(await axeViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Place a legal hold' }).click();
      await page.getByText('nothing of this request is erased').waitFor(PATIENCE);
      expect(await axeViolations(page)).toEqual([]);
      await open('/requests');
      await page.getByRole('link', { name: 'Legal holds' }).click();
      await page.getByText('claim 4711 is pending').waitFor(PATIENCE);
      await page.getByRole('button', { name: 'Place a legal hold' }).click();
      await dialog.getByLabel('Controller').selectOption('globex');
      await dialog.getByLabel('Email address').fill('held@example.com');
      await dialog.getByLabel('Customer number').fill('4711');
      await dialog.getByLabel('Reason').fill('claim 4712 is pending');
      await dialog.getByRole('button', { name: 'Place a legal hold' }).click();
      await page.getByText('A person').waitFor(PATIENCE);
      const line = page.getByRole('listitem').filter({ hasText: 'A person' });
      await line.getByRole('button', { name: 'Lift' }).click();
      await dialog.getByLabel('Reason').fill('the claim is settled');
      await dialog.getByRole('button', { name: 'Lift' }).click();
      await line.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Also those that have ended' }).click();
      await line.getByText('lifted by').waitFor(PATIENCE);
      expect(await axeViolations(page)).toEqual([]);
    });

    it('ends the contract of a controller', async () => {
      await open('/controllers/northwind');
      await page.getByRole('button', { name: 'End the contract' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('contract ended');
      await dialog.getByLabel('Type northwind to confirm').fill('northwind');
      expect(await axeViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'End the contract' }).click();
      await page.getByText('Closed').first().waitFor(PATIENCE);
      expect(await axeViolations(page)).toEqual([]);
    });

    it('sees alarms with what to do, filtered in the address, and sends a test', async () => {
      await open('/');
      await page.locator('main a[href$="/alarms"]').click();
      await page.waitForURL(/\/console\/alarms/);
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Legal deadline near or passed' })
        .first()
        .waitFor();
      await page.getByText('What to do:').first().waitFor();
      await page.getByLabel('Kind').selectOption('target_down');
      await page.waitForURL(/kind=target_down/);
      await page.getByLabel('Kind').selectOption('statutory_deadline');
      await page
        .getByRole('link', { name: /^Request / })
        .first()
        .waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send a test alarm' }).click();
      await page.getByText('neither alarms.webhook nor alarms.mail_to is set').waitFor();
    });

    it('finds what happened to one request in the audit log', async () => {
      const id = await world.requestOf('globex', 'completed');
      await open(`/requests/globex/${id}`);
      await page.getByRole('link', { name: 'Open in the audit log' }).click();
      await page.waitForURL(new RegExp(`request=${id}`));
      await page.getByRole('cell', { name: 'Request completed' }).waitFor();
      const shown = await page.getByRole('row').filter({ hasText: 'globex' }).all();
      expect(shown.length).toBeGreaterThan(2);
      for (const row of shown) expect(await row.innerText()).toContain(id.slice(0, 8));
    });

    it('is shown a draft of a plan for a database', async () => {
      await open('/targets/shop');
      await choose('Suggest a plan');
      await page.getByRole('region', { name: 'Plan' }).getByText('table: customers').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
    });

    it('releases everything that is held for one reason', async () => {
      await open('/attention');
      await page.getByRole('button', { name: 'Release several …' }).click();
      expect(await page.getByLabel('Held because').innerText()).toContain(
        'More rows than the limit',
      );
      expect(await axeViolations(page)).toEqual([]);
      // So many rows are erased only by who types their number.
      const erase = page.getByRole('button', { name: /^Erase [\d,]+ rows of 1 person$/ });
      await erase.waitFor();
      expect(await erase.isDisabled()).toBe(true);
      const field = page.getByLabel('type the number of rows');
      await field.fill('7');
      expect(await erase.isDisabled()).toBe(true);
      await field.fill((await erase.innerText()).replaceAll(/^Erase | rows.*$/g, ''));
      await erase.click();
      await page.getByText('1 task released').waitFor();
      await page.getByText('More rows than the limit').waitFor({ state: 'detached', ...PATIENCE });
    });

    it('counts, then erases again after a backup of a target was restored', async () => {
      await open('/targets/shop');
      await choose('Erase again …');
      expect(
        await page.getByRole('button', { name: 'Erase again', exact: true }).isDisabled(),
      ).toBe(true);
      await page.getByLabel('When the backup was made').fill('2026-01-01T00:00');
      await page.getByRole('button', { name: 'Count' }).click();
      await page.getByText(/\d+ requests would be erased again/).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Erase again', exact: true }).click();
      await page.getByText('They will be erased again').waitFor();
      await open('/audit?action=request.erase_again_asked');
      await page.getByRole('cell', { name: 'Erasing again requested' }).first().waitFor();
    });

    it('rotates the keys that sign tokens and receipts', async () => {
      await open('/settings');
      const keys = page.locator('section', { hasText: 'Keys that sign tokens' });
      await page.getByRole('button', { name: 'Rotate the key that signs tokens' }).click();
      await page.getByLabel('Refuse all older tokens').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      await page.getByText('Tokens are signed with a new key').waitFor();
      await keys.getByText('Revoked').first().waitFor();
      await page.getByRole('button', { name: 'Rotate the key that signs receipts' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      await page.getByText('Receipts are signed with a new key').waitFor();
      await keys.getByText('Earlier').first().waitFor();
    });

    it('says that a backup of the store was restored, reviews what it lost, and confirms', async () => {
      await open('/settings');
      await page.getByRole('link', { name: 'Restore of the store' }).click();
      await page
        .getByText('The store is not older than the newest known head and cancellation')
        .waitFor();
      await page.getByRole('button', { name: 'Report a restored backup' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: 'Report a restored backup' })
        .click();
      await page.getByText('The store went back in time: nothing starts').waitFor();
      await page.getByText('Nothing is erased until an admin confirms').waitFor();
      // That is not ended by resuming.
      expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      const lost = '11111111-2222-4333-8444-555555555555';
      const row = { type: 'row', time: Date.now() - 60_000, action: 'request.cancelled' };
      const line = JSON.stringify({ ...row, controller_id: 'acme', subject_request_id: lost });
      const kept = { name: 'audit.ndjson', mimeType: 'application/x-ndjson' };
      await page
        .getByLabel('Add files')
        .setInputFiles({ ...kept, buffer: Buffer.from(`${line}\n`.repeat(1000)) });
      await page.getByText('known from audit.ndjson').waitFor(PATIENCE);
      expect(await axeViolations(page)).toEqual([]);
      // A mark that some editors write first, letters of three bytes, and a name that would turn the line around.
      const many = Array.from({ length: 600 }, () => {
        const id = { subject_request_id: randomUUID(), detail: '消'.repeat(300) };
        return JSON.stringify({ ...row, controller_id: 'acme', ...id });
      });
      await page.getByLabel('Add files').setInputFiles({
        ...kept,
        name: 'other\u202E.ndjson',
        buffer: Buffer.from(`\uFEFF${many.join('\r\n')}\r\n`),
      });
      await page.getByText('known from other.ndjson').first().waitFor(PATIENCE);
      await page.getByText('501 more are not shown yet').waitFor(PATIENCE);
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByText('401 more are not shown yet').waitFor(PATIENCE);
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.getByText('Checked. You can confirm now.').first().waitFor();
      await page.getByRole('button', { name: 'Confirm and continue …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
      await page
        .getByText('The store is not older than the newest known head and cancellation')
        .waitFor(PATIENCE);
      await page
        .getByText('Nothing is erased until an admin confirms')
        .waitFor({ state: 'detached', ...PATIENCE });
    }, 180_000);

    it('verifies a receipt that somebody shows', async () => {
      const id = await world.requestOf('globex', 'completed');
      const address = `${world.url}/operator/v1/requests/globex/${id}/receipts/1`;
      const receipt = await (await page.request.get(address)).body();
      const asFile = (buffer: Buffer) => ({
        name: 'receipt.json',
        mimeType: 'application/json',
        buffer,
      });
      await open('/audit');
      await page.getByLabel('Choose files').setInputFiles(asFile(receipt));
      await page.getByRole('heading', { name: 'Unchanged since it was signed' }).waitFor(PATIENCE);
      await page.getByText(`Receipt of request ${id} of globex`).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      const edited = Buffer.from(receipt.toString().replace('"globex"', '"initech"'));
      await page.getByLabel('Choose files').setInputFiles(asFile(edited));
      await page.getByRole('heading', { name: 'It does not verify' }).waitFor(PATIENCE);
      expect(await axeViolations(page)).toEqual([]);
    });

    it.runIf(kind === 'sqlite')(
      'sees that somebody else wrote to the audit log, and accepts it',
      async () => {
        world.changeStore(
          `INSERT INTO audit_rows (audit_no, time, actor, action)
         VALUES (1000000, ${Date.now()}, 'eve', 'task.erased')`,
        );
        const banner = page.getByText('Erasing is paused, as someone else wrote to the audit log');
        await openUntil('/audit', banner);
        expect(await axeViolations(page)).toEqual([]);
        await page.getByRole('button', { name: 'Verify now' }).click();
        await page.getByRole('heading', { name: 'The log was changed' }).waitFor(PATIENCE);
        await page.getByRole('button', { name: 'Accept …' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('textbox', { name: 'Reason' }).fill('Eve tried something');
        expect(await axeViolations(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Accept' }).click();
        await page
          .getByRole('heading', { name: 'Unchanged since it was sealed' })
          .waitFor(PATIENCE);
        await banner.waitFor({ state: 'detached' });
      },
    );

    it.runIf(kind === 'sqlite')(
      'accepts evidence that is not what the log says, for a reason',
      async () => {
        const id = await world.requestOf('acme', 'in_progress');
        world.changeStore(
          `UPDATE tasks SET evidence = replace(evidence, '"attempts":1', '"attempts":7')
         WHERE state = 'erased' AND request_no =
           (SELECT request_no FROM requests WHERE subject_request_id = '${id}')`,
        );
        await open(`/requests/acme/${id}`);
        await page.getByRole('button', { name: 'Confirm …' }).click();
        await page.getByRole('textbox', { name: 'Note' }).fill('shredded');
        await page.getByRole('button', { name: 'Confirm', exact: true }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached', ...PATIENCE });
        const accept = page.getByRole('button', { name: 'Accept the evidence …' });
        await openUntil(`/requests/acme/${id}`, accept);
        await accept.click();
        await page.getByRole('textbox', { name: 'Reason' }).fill('looked at the backup of the day');
        await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
        await page.getByText('Signed receipt').waitFor(PATIENCE);
      },
    );

    it('is told why a person is not found in requests that have not started', async () => {
      await open('/requests');
      await page.getByRole('table').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('someone15@example.net');
      await page.keyboard.press('Enter');
      await page.getByText('This does not include requests that have not started').waitFor();
      await page.getByRole('link', { name: 'Show pending requests' }).click();
      await page.waitForURL(/requests\?status=pending/);
    });
  },
);
