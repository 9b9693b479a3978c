// A browser whose session is another one than the page knows, because somebody signed in in another tab; and servers and
// proxies that answer without being able to.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeViolations } from '../helpers/console/axe.ts';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { lookUntilAlert } from '../helpers/console/tab.ts';
import { type ConsoleWorld, makeConsoleWorld } from './every-state.ts';

const PATIENCE_MS = 30_000;
const API = '**/operator/v1/**';
const SHOWN_BY_NGINX = '<html><head><title>Error</title></head><body>nginx</body></html>';

describe.skipIf(!hasChromium())('a page', { timeout: 120_000 }, () => {
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
    page.setDefaultTimeout(PATIENCE_MS);
    await page.getByText('Live', { exact: true }).first().waitFor();
  });
  afterEach(async () => {
    await context.close();
    await world.operate('/resume', {});
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const dialog = () => page.getByRole('dialog');
  const isPaused = async () =>
    ((await world.operate('/pause')) as { paused: unknown[] }).paused.length > 0;
  async function pause(): Promise<void> {
    await page.getByRole('button', { name: 'Pause erasing' }).click();
    await dialog().getByRole('button', { name: 'Pause erasing' }).click();
  }
  /** As after single sign-on in another tab: the session before is not ended by it, and its stream goes on. */
  async function signInElsewhere(role: string): Promise<void> {
    const other = await world.signIn(browser, role);
    await context.addCookies(await other.context.cookies());
    await other.context.close();
  }

  it('decides where the same person has signed in again', async () => {
    await signInElsewhere('admin');
    await pause();
    await page.getByText('Erasing is paused').first().waitFor();
    expect(await isPaused()).toBe(true);
  });

  it('decides nothing for somebody else who has signed in, and says who it is', async () => {
    await signInElsewhere('operator');
    await pause();
    await dialog().getByText('Somebody has signed in in another tab').waitFor();
    expect(await isPaused()).toBe(false);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Operator', { exact: true }).first().waitFor();
    await pause();
    await page.getByText('Erasing is paused').first().waitFor();
  });

  it('says that it is not up to date where the server answers that it cannot', async () => {
    await context.route(API, (route) => route.fulfill({ status: 503, body: '{}' }));
    await lookUntilAlert(page);
    const alert = await page.getByRole('main').getByRole('alert').first().boundingBox();
    const figures = await page.getByText('Nearest deadline').first().boundingBox();
    expect(Number(alert?.y)).toBeLessThan(Number(figures?.y));
    expect(await axeViolations(page)).toEqual([]);
    await context.unroute(API);
    await expect.poll(() => page.getByRole('main').getByRole('alert').count()).toBe(0);
  });

  it('has a mark that says so too, where there is no stream', async () => {
    await context.route(/\/operator\/v1\/(?!session)/, (route) => route.fulfill({ status: 503 }));
    await page.reload();
    await page.getByText('Not up to date', { exact: true }).first().waitFor();
  });

  it.each([
    [502, 'It may have been carried out'],
    [504, 'It may have been carried out'],
    [413, 'too large for the proxy'],
  ])('says what it means where a proxy answers %d', async (status, words) => {
    await context.route('**/operator/v1/pause', (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status, contentType: 'text/html', body: SHOWN_BY_NGINX }),
    );
    await pause();
    await dialog().getByText(words).waitFor();
  });
});
