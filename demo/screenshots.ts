// node scripts/screenshots.mjs: opens every page of the console in a real browser and takes a picture of it.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { makeEveryState } from './every-state.ts';
import { makeShop } from './make-shop.ts';
import { createOperator, type Operate } from './operator.ts';
import { say } from './progress.ts';
import { startUnwrite, type Unwrite } from './unwrite.ts';

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 780 } };
const A4 = { width: 794, height: 1123 };
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
    'legal-holds': '/legal-holds',
    targets: '/targets',
    target: '/targets/shop',
    'target-down': '/targets/crm',
    controllers: '/controllers',
    controller: '/controllers/acme',
    alarms: '/alarms',
    audit: '/audit',
    settings: '/settings',
    restore: '/restore',
  };
}

/** Beside the console. */
const OTHER_PAGES = { landing: '/', docs: '/docs/', 'sign-in': '/operator/sign-in' };

interface Shots {
  readonly folder: string;
  readonly unwrite: Unwrite;
  readonly browser: Browser;
}

/** Every look: wide and narrow, light and dark, signed in. */
async function inEveryLook(
  shots: Shots,
  take: (page: Page, url: string, look: string) => Promise<void>,
): Promise<void> {
  const url = shots.unwrite.url.replace('127.0.0.1', 'localhost');
  for (const colorScheme of THEMES) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      const page = await signedIn(shots, { colorScheme, viewport });
      await take(page, url, `${size}-${colorScheme}`);
      await page.close();
    }
  }
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.locator('h1').waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  // Charts are drawn after what they are in.
  await page.waitForTimeout(250);
}

async function shoot(page: Page, { folder }: Shots, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

async function takeAll(shots: Shots): Promise<void> {
  const operate = await createOperator(shots.unwrite, 'screenshots');
  await operate('/targets/shop/check', {});
  const pages = await pagesOf(operate);
  await inEveryLook(shots, async (page, url, look) => {
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`${url}/console${path}`);
      await settle(page);
      await shoot(page, shots, `${name}-${look}`);
    }
    await page.goto(`${url}/console${pages['request-held']}`);
    await page.getByRole('button', { name: 'Release …' }).click();
    await page.getByText('Counted by the preview').last().waitFor();
    await shoot(page, shots, `decide-${look}`);
    for (const [name, path] of Object.entries(OTHER_PAGES)) {
      await page.goto(`${url}${path}`);
      await page.waitForLoadState('networkidle');
      await shoot(page, shots, `${name}-${look}`);
    }
  });
  await printRequest(shots, pages['request-completed'] ?? '');
  await takeForReadme(shots, pages['request-held'] ?? '');
}

async function signedIn(
  { unwrite, browser }: Shots,
  options: BrowserContextOptions,
): Promise<Page> {
  const page = await browser.newPage({ ...options, locale: 'en-GB' });
  const link = unwrite.command('console', 'link', '--role', 'admin', '--as', 'olga');
  await page.goto((link as { url: string }).url);
  await page.waitForURL(/\/console/);
  return page;
}

/** Those of docs/images: one screen of each. */
async function takeForReadme(shots: Shots, request: string): Promise<void> {
  const viewport = { width: 1280, height: 950 };
  const page = await signedIn(shots, { colorScheme: 'light', viewport });
  const url = shots.unwrite.url.replace('127.0.0.1', 'localhost');
  for (const [name, path] of Object.entries({ overview: '', request })) {
    await page.goto(`${url}/console${path}`);
    await settle(page);
    await page.screenshot({ path: join(shots.folder, `readme-${name}.png`) });
  }
  await page.close();
}

/** The page as it is printed while the dark theme is on. */
async function printRequest(shots: Shots, path: string): Promise<void> {
  const url = shots.unwrite.url.replace('127.0.0.1', 'localhost');
  const page = await signedIn(shots, { colorScheme: 'dark', viewport: A4 });
  await page.emulateMedia({ media: 'print' });
  for (const [name, address] of Object.entries({
    'request-printed': `/console${path}`,
    'receipt-printed': `/operator/v1${path}/receipts/1?format=html`,
  })) {
    await page.goto(`${url}${address}`);
    await settle(page);
    await shoot(page, shots, name);
  }
  await page.close();
}

/** What a new user sees. */
async function takeEmpty(browser: Browser, folder: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'unwrite-screenshots-'));
  const unwrite = await startUnwrite(data);
  try {
    const shots = { unwrite, browser, folder };
    await inEveryLook(shots, async (page, _, look) => {
      await settle(page);
      await shoot(page, shots, `first-steps-${look}`);
    });
  } finally {
    await unwrite.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

const folder = process.argv[2] ?? 'screenshots';
mkdirSync(folder, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'unwrite-screenshots-'));
makeShop(join(data, 'shop.db'), { customers: 200, ordersOfTheBusiest: 3 });
const executablePath =
  process.env.UNWRITE_TEST_CHROMIUM ?? BROWSERS.find((path) => existsSync(path)) ?? '';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
await takeEmpty(browser, folder);
const unwrite = await makeEveryState(data);
try {
  await takeAll({ unwrite, browser, folder });
  say(`Screenshots of every page: ${folder}`);
} finally {
  await browser.close();
  await unwrite.stop();
  rmSync(data, { recursive: true, force: true });
}
