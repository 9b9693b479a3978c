// npm run screenshots: opens every page of the console in a real browser and takes a picture of it.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { makeEveryState } from './every-state.ts';
import { makeShop } from './make-shop.ts';
import { createOperator, type Operate } from './operator.ts';
import { say } from './progress.ts';
import type { Unwrite } from './unwrite.ts';

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 780 } };
const THEMES = ['light', 'dark'] as const;
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

interface Line {
  readonly controller_id: string;
  readonly subject_request_id: string;
}

async function pagesOf(operate: Operate): Promise<Record<string, string>> {
  const requestOf = async (controller: string, status: string) => {
    const found = await operate(`/requests?controller=${controller}&status=${status}`);
    const [line] = (found as { items: Line[] }).items.toReversed();
    return `/requests/${line?.controller_id}/${line?.subject_request_id}`;
  };
  return {
    overview: '',
    attention: '/attention',
    requests: '/requests',
    'request-held': await requestOf('globex', 'in_progress'),
    'request-by-hand': await requestOf('acme', 'in_progress'),
    'request-target-down': await requestOf('northwind', 'in_progress'),
    'request-completed': await requestOf('globex', 'completed'),
    'request-pending': await requestOf('acme', 'pending'),
    'request-cancelled': await requestOf('northwind', 'cancelled'),
    targets: '/targets',
    target: '/targets/shop',
    'target-down': '/targets/crm',
    controllers: '/controllers',
    controller: '/controllers/acme',
    audit: '/audit',
    settings: '/settings',
  };
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.locator('h1').waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  // Charts are drawn after what they are in.
  await page.waitForTimeout(250);
}

async function takeAll(unwrite: Unwrite, folder: string): Promise<void> {
  const operate = await createOperator(unwrite, 'screenshots');
  await operate('/targets/shop/check', {});
  const pages = await pagesOf(operate);
  const executablePath =
    process.env.UNWRITE_TEST_CHROMIUM ?? BROWSERS.find((path) => existsSync(path)) ?? '';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const url = unwrite.url.replace('127.0.0.1', 'localhost');
  for (const colorScheme of THEMES) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      const page = await browser.newPage({ colorScheme, viewport, locale: 'en-GB' });
      const link = unwrite.command('console', 'link', '--role', 'admin', '--as', 'olga');
      await page.goto((link as { url: string }).url);
      await page.waitForURL(/\/console/);
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(`${url}/console${path}`);
        await settle(page);
        const file = join(folder, `${name}-${size}-${colorScheme}.png`);
        await page.screenshot({ path: file, fullPage: true });
      }
      await page.close();
    }
  }
  await browser.close();
}

const folder = process.argv[2] ?? 'screenshots';
mkdirSync(folder, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'unwrite-screenshots-'));
makeShop(join(data, 'shop.db'), { customers: 200, ordersOfTheBusiest: 3 });
const unwrite = await makeEveryState(data);
try {
  await takeAll(unwrite, folder);
  say(`Screenshots of every page: ${folder}`);
} finally {
  await unwrite.stop();
  rmSync(data, { recursive: true, force: true });
}
