// A server that does not answer, or answers late: the page says so, and nobody takes for done what may not be.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { lookUntilAlert, showTab } from '../helpers/console/tab.ts';
import { type ConsoleWorld, makeConsoleWorld } from './every-state.ts';

const PATIENCE = { timeout: 30_000 };
const EVENTS = '**/operator/v1/events';

describe.skipIf(!hasChromium())('without an answer', { timeout: 120_000 }, () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    buildConsole();
    [world, browser] = await Promise.all([makeConsoleWorld(), launchChromium()]);
  }, 240_000);
  beforeEach(async () => {
    ({ context, page } = await world.signIn(browser, 'admin'));
    page.setDefaultTimeout(PATIENCE.timeout);
    await page.getByText('Live', { exact: true }).first().waitFor();
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const dialog = () => page.getByRole('dialog');
  const show = (state: 'hidden' | 'visible') => showTab(page, state);

  it('a sign-out that failed leaves the operator signed in, and says so', async () => {
    await context.route('**/operator/v1/sign-out', (route) =>
      route.fulfill({ status: 503, body: '{}' }),
    );
    await page.getByRole('button', { name: /admin/i }).first().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in.').waitFor();
    expect(page.url()).not.toContain('sign-in');
  });

  it('a decision that is read late begins in its note', async () => {
    await context.route('**/operator/v1/tasks/*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800));
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'Confirm …' }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    await dialog().getByRole('textbox').waitFor();
    await page.keyboard.type('shredded it');
    expect(await dialog().getByRole('textbox').inputValue()).toBe('shredded it');
  });

  it('a decision that somebody does not wait for may have been made, and the page says so', async () => {
    await context.route('**/operator/v1/tasks/*/confirm', () => undefined);
    await page.getByRole('button', { name: 'Confirm …' }).first().click();
    await dialog().getByRole('textbox').fill('Shredded');
    await dialog().getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByText('You did not wait for the answer').waitFor();
  });

  it('a hidden tab closes its event stream, and opens it again when it is shown', async () => {
    const ended = page.waitForEvent('requestfailed', (it) => it.url().endsWith('/events'));
    await show('hidden');
    await ended;
    const asked = page.waitForRequest(EVENTS);
    await show('visible');
    await asked;
    await page.getByText('Live', { exact: true }).first().waitFor();
  });

  it('the mark says that nothing answers', async () => {
    await show('hidden');
    await page.waitForEvent('requestfailed', (it) => it.url().endsWith('/events'));
    await context.route('**/operator/v1/**', (route) => route.abort());
    await show('visible');
    await page.getByText('No answer', { exact: true }).first().waitFor();
    await context.unroute('**/operator/v1/**');
    await page.getByText('Live', { exact: true }).first().waitFor();
  });

  it.each([
    '/requests/acme/…',
    '/targets/shop',
    '/controllers/acme',
    '/requests',
    '/',
    '/settings',
  ])(
    'the page %s says once that what it shows may be old, until the server answers again',
    async (path) => {
      const alerts = page.getByRole('main').getByRole('alert').filter({ hasText: 'not respond' });
      const isOne = path.endsWith('…');
      const id = isOne ? await world.requestOf('acme', 'in_progress') : '';
      await page.goto(`${world.url}/console${path.replace('…', id)}`);
      await page.getByText('Live', { exact: true }).first().waitFor();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await context.route('**/operator/v1/**', (route) => route.abort());
      await lookUntilAlert(page, 'not respond');
      // The request's page has failed to read its history too.
      if (isOne) await page.getByText('see the message above').waitFor();
      await expect.poll(() => alerts.count(), PATIENCE).toBe(1);
      await context.unroute('**/operator/v1/**');
      await expect.poll(() => alerts.count(), PATIENCE).toBe(0);
      await expect.poll(() => page.getByText('see the message above').count(), PATIENCE).toBe(0);
    },
  );

  it('a list is printed with all its rows, not only those in sight', async () => {
    const { items } = (await world.operate('/requests?limit=1')) as { items: object[] };
    const many = Array.from({ length: 90 }, (_, n) => ({
      ...items[0],
      subject_request_id: `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`,
    }));
    await context.route('**/operator/v1/requests?*', (route) =>
      route.fulfill({ json: { items: many, next: null } }),
    );
    await page.goto(`${world.url}/console/requests`);
    const rows = page.getByRole('main').getByRole('row');
    await page.getByText('00000000').first().waitFor();
    expect(await rows.count()).toBeLessThan(80);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => rows.count(), PATIENCE).toBe(91);
    const last = await rows.last().boundingBox();
    const table = await page.getByRole('main').getByRole('table').boundingBox();
    expect(Number(last?.y)).toBeGreaterThan(1000);
    expect(Number(table?.y) + Number(table?.height)).toBeGreaterThanOrEqual(Number(last?.y));
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => rows.count(), PATIENCE).toBeLessThan(80);
  });

  it('states, bars and the place of the focus are seen in the colours of the system', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    const colours = await page.evaluate(`(() => {
      const style = (element, name) => getComputedStyle(element)[name];
      const main = document.querySelector('main');
      const bar = main.querySelector('.bar:not(.bar-hollow)');
      const sign = [...main.querySelectorAll('svg [stroke="var(--surface)"]')][0];
      document.querySelector('a[href]').focus({ focusVisible: true });
      return {
        page: style(document.body, 'backgroundColor'),
        bar: style(bar, 'backgroundColor'),
        sign: style(sign, 'stroke'),
        shape: style(sign.parentElement.firstElementChild, 'fill'),
        outline: style(document.activeElement, 'outlineStyle'),
      };
    })()`);
    const { page: paper, bar, sign, shape, outline } = colours as Record<string, string>;
    expect(bar).not.toBe(paper);
    expect(sign).toBe(paper);
    expect(shape).not.toBe(sign);
    expect(outline).toBe('solid');
  });
});
