// Changes come to the page by themselves, also where no stream of events can be had; and the page on paper.
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { type ConsoleWorld, makeConsoleWorld } from './every-state.ts';

const EVENTS = '**/operator/v1/events';
const PAUSED = 'Requests are accepted, but nothing is erased.';
const PATIENCE = { timeout: 30_000 };
const WIDTH = 'document.documentElement.scrollWidth';
const A4 = { width: 794, height: 1123 };

describe.skipIf(!hasChromium())('a page of the console', { timeout: 120_000 }, () => {
  let world: ConsoleWorld;
  let browser: Browser;
  beforeAll(async () => {
    buildConsole();
    [world, browser] = await Promise.all([makeConsoleWorld(), launchChromium()]);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  it.each([
    ['is refused', (route: Route) => route.abort()],
    ['is held back, as by a proxy that buffers', () => undefined],
  ])('asks every five seconds if the stream %s', async (_, answer) => {
    const { page, context } = await world.signIn(browser, 'viewer');
    await context.route(EVENTS, answer);
    await page.reload();
    await page.getByText('Every 5 seconds').first().waitFor(PATIENCE);
    await world.operate('/pause', {});
    await page.getByText(PAUSED).waitFor(PATIENCE);
    await world.operate('/resume', {});
    await page.getByText(PAUSED).waitFor({ state: 'detached', ...PATIENCE });
    await context.close();
  });

  it('shows what changed after it was read and before the stream began', async () => {
    const { page, context } = await world.signIn(browser, 'viewer');
    await context.route(EVENTS, async (route) => {
      await page.waitForResponse('**/operator/v1/overview');
      await world.operate('/pause', {});
      await route.continue();
    });
    await page.reload();
    await page.getByText('Live', { exact: true }).first().waitFor(PATIENCE);
    await page.getByText(PAUSED).waitFor({ timeout: 4000 });
    await world.operate('/resume', {});
    await context.close();
  });

  it('goes back to the stream when it can be had again', async () => {
    const { page, context } = await world.signIn(browser, 'viewer');
    // What a proxy answers while its server starts: browsers give the stream up then.
    await context.route(EVENTS, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await page.reload();
    await page.getByText('Every 5 seconds').first().waitFor(PATIENCE);
    await context.unroute(EVENTS);
    await page.getByText('Live', { exact: true }).first().waitFor(PATIENCE);
    await context.close();
  });

  it('prints on white, without what only a screen can do, in its whole length', async () => {
    const { page, context } = await world.signIn(browser, 'admin', { colorScheme: 'dark' });
    const id = await world.requestOf('globex', 'completed');
    for (const path of [`/requests/globex/${id}`, '/audit', '/requests', '']) {
      await page.goto(`${world.url}/console${path}`);
      await page.locator('h1').waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await page.setViewportSize(A4);
      await page.emulateMedia({ media: 'print' });
      expect(await visible(page, 'button, nav, aside, .no-print')).toBe(0);
      expect([
        path,
        await page.evaluate('getComputedStyle(document.body).backgroundColor'),
      ]).toEqual([path, 'rgb(255, 255, 255)']);
      const width = await page.evaluate(WIDTH);
      expect([path, width]).toEqual([path, A4.width]);
      expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
      expect([path, await visible(page, 'text=/just now|minutes? ago/')]).toEqual([path, 0]);
      await page.emulateMedia({ media: 'screen' });
    }
    await context.close();
  });

  it('has a receipt that opens as a page of its own, and prints', async () => {
    const { page, context } = await world.signIn(browser, 'viewer');
    const id = await world.requestOf('globex', 'completed');
    await page.goto(`${world.url}/console/requests/globex/${id}`);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    const receipt = await opened;
    await receipt.getByRole('heading', { name: 'Erasure receipt' }).waitFor();
    await receipt.setViewportSize(A4);
    await receipt.emulateMedia({ media: 'print' });
    const width = await receipt.evaluate(WIDTH);
    expect(width).toBe(A4.width);
    expect((await receipt.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
    await context.close();
  });
});

function visible(page: Page, selector: string): Promise<number> {
  return page.locator(selector).filter({ visible: true }).count();
}
