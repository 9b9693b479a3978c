// What the demo's data and a developer's browser do not have: a wrong clock, hundreds of controllers, long names of
// tables, a slip of the keyboard, a screen reader.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { type ConsoleWorld, makeConsoleWorld, type SignedIn } from './every-state.ts';

const PATIENCE_MS = 15_000;
const HOUR_MS = 3_600_000;
const MANY = 130;

describe.skipIf(!hasChromium())('the console', { timeout: 120_000 }, () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let signedIn: SignedIn;
  beforeAll(async () => {
    buildConsole();
    [world, browser] = await Promise.all([makeConsoleWorld(), launchChromium()]);
    signedIn = await world.signIn(browser, 'admin');
    for (let n = 1; n <= MANY; n++) await world.operate('/controllers', { controller_id: idOf(n) });
  }, 240_000);
  // Each open page takes one of the few connections of a browser to the server.
  afterEach(async () => {
    for (const page of signedIn.context.pages()) if (page !== signedIn.page) await page.close();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const idOf = (n: number) => `org-${String(n).padStart(3, '0')}`;
  async function newPage(): Promise<Page> {
    const page = await signedIn.context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    return page;
  }

  it.each([-36, 36])(
    'goes by the clock of the server where that of the machine is %d hours off',
    async (hours) => {
      const right = await newPage();
      await right.goto(`${world.url}/console`);
      const late = right.getByText(/^\d+ (hours|days) late$/).first();
      await late.waitFor();
      const page = await newPage();
      await page.clock.setFixedTime(Date.now() + hours * HOUR_MS);
      await page.goto(`${world.url}/console`);
      await page
        .getByText(await late.innerText(), { exact: true })
        .first()
        .waitFor();
    },
  );

  it('shows characters that change the writing direction, and does not apply them', async () => {
    await world.operate('/controllers', { controller_id: 'turned', name: 'Acme' });
    const page = await newPage();
    await page.route('**/operator/v1/controllers/turned', async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replace('"Acme"', '"Ac\u202eme \u2067GmbH"');
      await route.fulfill({ response: answer, body: text });
    });
    await page.goto(`${world.url}/console/controllers/turned`);
    await page.getByText('Ac\\u202eme \\u2067GmbH').first().waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('promises no receipt for a request that was cancelled', async () => {
    const id = await world.requestOf('northwind', 'cancelled');
    const page = await newPage();
    await page.goto(`${world.url}/console/requests/northwind/${id}`);
    await page.getByText('A cancelled request has no receipt').waitFor();
    expect(await page.getByText('signed when the request is completed').count()).toBe(0);
  });

  it('filters by every controller, however many there are, and shows by which', async () => {
    const page = await newPage();
    await page.goto(`${world.url}/console/requests?controller=${idOf(MANY)}`);
    // Until the controllers are read, it is a choice.
    const field = page.getByRole('searchbox', { name: 'Controller' });
    await expect.poll(() => field.inputValue()).toBe(idOf(MANY));
    await field.fill('globex');
    await page.waitForURL(/controller=globex/);
    await page.getByRole('link', { name: 'globex' }).first().waitFor();
  });

  it('previews for every controller, however many there are', async () => {
    const page = await newPage();
    await page.goto(`${world.url}/console/targets/shop`);
    await page.getByRole('button', { name: 'Preview for a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Controller' }).fill(idOf(MANY));
    await dialog.getByLabel('Value').fill('someone@example.net');
    const sent = page.waitForRequest((request) => request.url().endsWith('/operator/v1/preview'));
    await dialog.getByRole('button', { name: 'Preview' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ controller: idOf(MANY) });
  });

  it('takes hours that were typed into the year for a slip, not for the end of the page', async () => {
    const page = await newPage();
    await page.goto(`${world.url}/console/targets/shop`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Erase again' }).click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('When the backup was made');
    expect(await field.getAttribute('max')).toBe('9999-12-31T23:59');
    // As a browser does that does not know of max.
    await field.evaluate((input) => {
      const prototype = Object.getPrototypeOf(input) as object;
      const { set } = Object.getOwnPropertyDescriptor(prototype, 'value') ?? {};
      set?.call(input, '202610-11-01T10:30');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await dialog.getByRole('button', { name: 'Count' }).click();
    await dialog.getByRole('alert').waitFor();
  });

  it.each([360, 1280])(
    'shows the counts of tables with long names, %d pixels wide',
    async (width) => {
      const id = await world.requestOf('globex', 'in_progress');
      const page = await newPage();
      await page.setViewportSize({ width, height: 800 });
      await page.route(`**/operator/v1/requests/globex/${id}`, async (route) => {
        const answer = await route.fetch();
        const request = (await answer.json()) as { tasks: { intent: object | null }[] };
        for (const task of request.tasks) {
          if (task.intent !== null) task.intent = { [`t_${'long_name_'.repeat(12)}`]: 1234 };
        }
        await route.fulfill({ response: answer, json: request });
      });
      await page.goto(`${world.url}/console/requests/globex/${id}`);
      const count = page.getByRole('cell', { name: '1,234' }).first();
      await count.waitFor();
      const card = await page.locator('main section', { has: count }).last().boundingBox();
      const box = await count.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(
        (card?.x ?? 0) + (card?.width ?? 0),
      );
    },
  );

  it('counts what a screen reader clicks as use of the session', async () => {
    const page = await newPage();
    await page.clock.install();
    await page.goto(`${world.url}/console`);
    const link = page.getByRole('link', { name: 'Audit' }).first();
    await link.waitFor();
    await page.clock.fastForward(90_000);
    const asked = page.waitForRequest((request) => /\/v1\/audit\?/.test(request.url()));
    await link.dispatchEvent('click');
    expect((await asked).headers()['x-unwrite-background']).toBeUndefined();
  });

  it('keeps the chosen row where others arrive above it, and gives it the focus', async () => {
    const page = await newPage();
    await page.goto(`${world.url}/console/controllers`);
    await page.getByRole('link', { name: idOf(1), exact: true }).waitFor();
    const chosen = page.locator('[role="row"]:focus');
    for (let n = 0; n < 3; n++) await page.keyboard.press('j');
    await chosen.waitFor();
    const before = await chosen.innerText();
    await world.operate('/controllers', { controller_id: '000-first' });
    await page.getByRole('link', { name: '000-first' }).waitFor();
    expect(await page.locator('[role="row"][aria-current="true"]').innerText()).toBe(before);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/controllers/${before.split('\n')[0]}$`));
  });

  it('says that more needs attention than is listed', async () => {
    const page = await newPage();
    await page.route('**/operator/v1/attention?*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...((await answer.json()) as object), capped: true },
      });
    });
    await page.goto(`${world.url}/console/attention`);
    await page.getByText('There are more than are listed here').waitFor();
  });
});
