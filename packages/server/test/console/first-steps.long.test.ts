// As a new user: an empty installation, the three steps, and the first request until it is completed.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emailOf, makeShop, SHOP_CONFIG } from '../../../../demo/make-shop.ts';
import { startUnwrite, type Unwrite } from '../../../../demo/unwrite.ts';
import { axeViolations } from '../helpers/console/axe.ts';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium, openPage } from '../helpers/console/chromium.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const run = promisify(execFile);
const SETTINGS = { UNWRITE_CANCELLATION_WINDOW: '24h', UNWRITE_LOG_LEVEL: 'error' };
/** As the page itself suggests: nothing is erased before somebody has looked. */
const PREVIEWED = SHOP_CONFIG.replace(/^( +)connector: sqlite$/m, '$&\n$1mode: preview');
/** A server that starts again, and a browser that notices. */
const PATIENCE = { timeout: 30_000 };

describe.skipIf(!hasChromium())('an empty installation', { timeout: 120_000 }, () => {
  const folder = makeTemporaryFolder();
  let browser: Browser;
  let unwrite: Unwrite;
  let page: Page;
  let troubles: readonly string[];

  beforeAll(async () => {
    buildConsole();
    makeShop(join(folder.path, 'shop.db'), { customers: 5, ordersOfTheBusiest: 3 });
    [unwrite, browser] = await Promise.all([startUnwrite(folder.path, SETTINGS), launchChromium()]);
    ({ page, troubles } = await openPage(await browser.newContext()));
    const link = unwrite.command('console', 'link', '--role', 'admin', '--as', 'nina');
    await page.goto((link as { url: string }).url);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await unwrite?.stop();
    folder.remove();
  });

  const overview = () => page.getByRole('link', { name: 'Overview' }).first().click();

  it('shows three steps, of which none is done', async () => {
    await page.getByRole('heading', { name: 'Three steps to the first erasure' }).waitFor();
    await page.getByText('0 of 3 done').waitFor();
    expect(await page.locator('[aria-current=step]').innerText()).toContain('Make a client');
    expect(await axeViolations(page)).toEqual([]);
    // The page that was loaded now is the one that shows the end.
    await page.evaluate(() => Object.assign(globalThis, { isFirstLoad: true }));
  });

  it('makes a controller and its client', async () => {
    await page.getByRole('button', { name: 'New controller' }).click();
    await page.getByLabel('Id', { exact: true }).fill('demo');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'demo' }).waitFor();
    await page.getByRole('button', { name: 'New client' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await overview();
    await page.getByText('1 of 3 done').waitFor();
  });

  it('sees a target that was declared, as soon as the server runs again', async () => {
    await page.getByText('connector: postgres').waitFor();
    const { port } = new URL(unwrite.url);
    writeFileSync(join(folder.path, 'unwrite.config.yaml'), PREVIEWED);
    await unwrite.stop();
    unwrite = await startUnwrite(folder.path, { ...SETTINGS, PORT: port });
    await page.getByText('2 of 3 done').waitFor(PATIENCE);
  });

  it('sends a request by the command that it is shown', async () => {
    await page.getByRole('link', { name: 'Try a request' }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByLabel('Email address of the person').fill(emailOf(2));
    expect(await axeViolations(page)).toEqual([]);
    const command = await page.getByRole('region', { name: 'Command' }).innerText();
    const { stdout } = await run('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ controller_id: 'demo' });
    await page.keyboard.press('Escape');
    await overview();
    await page.getByText('3 of 3 done').waitFor();
    await page.getByText('It waits until its cancellation window is over').waitFor();
    // One request: expected, and by law.
    const strip = page.getByRole('list', { name: 'Open requests by days left' });
    expect(await strip.locator('.numbers').allInnerTexts()).toEqual(['1', '1']);
  });

  it('starts it, and is told that it waits for a decision', async () => {
    await page.getByRole('link', { name: 'Open the request' }).click();
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('button', { name: 'Release …' }).waitFor(PATIENCE);
    await overview();
    await page.getByText('It waits for a person').waitFor();
  });

  it('releases it, and sees it completed with a receipt', async () => {
    await page.getByRole('button', { name: 'Decide …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByRole('link', { name: 'Open the request' }).click();
    await page.getByText('Searched again: nothing left').waitFor(PATIENCE);
    await page.getByText('Signed receipt').waitFor(PATIENCE);
    await overview();
    await page.getByText('The first erasure is complete').waitFor();
    const isFirstLoad = await page.evaluate(
      () => (globalThis as { isFirstLoad?: boolean }).isFirstLoad,
    );
    expect(isFirstLoad).toBe(true);
    // While the server was away, calls failed; nothing else did.
    expect(troubles.filter((line) => !/ERR_|Failed to load resource/.test(line))).toEqual([]);
  });
});
