// A server that does not answer, or answers late: the page says so, and nobody takes for done what may not be.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../helpers/console/built-console.ts';
import { CHROMIUM, launchChromium } from '../helpers/console/chromium.ts';
import { type ConsoleWorld, makeConsoleWorld } from './every-state.ts';

const PATIENCE = { timeout: 30_000 };
const EVENTS = '**/operator/v1/events';

describe.skipIf(CHROMIUM === undefined)('without an answer', { timeout: 120_000 }, () => {
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
  /** What a browser says of a tab in the background. */
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`,
    );

  it('nobody is taken for signed out', async () => {
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

  it('a tab that nobody looks at gives its stream up, and has it again when it is looked at', async () => {
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
});
