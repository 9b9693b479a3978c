// A real browser for tests of the console: the system's Chromium, which the set-up installs where it can.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { noteMissing } from '../missing-parts.ts';
import { noteVersion } from '../run-notes.ts';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const CHROMIUM = process.env.UNWRITE_TEST_CHROMIUM ?? PLACES.find((path) => existsSync(path));

/** For describe.skipIf(!hasChromium()). */
export function hasChromium(): boolean {
  if (CHROMIUM === undefined) noteMissing('Chromium');
  return CHROMIUM !== undefined;
}

export interface TestPage {
  readonly page: Page;
  /** What went wrong in the page: errors of scripts, refused by the policy, calls that failed. */
  readonly troubles: readonly string[];
}

export async function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium');
  // As root, Chromium refuses its own sandbox. It opens our own pages alone.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  noteVersion(`Chromium ${browser.version()}`);
  return browser;
}

export async function openPage(context: BrowserContext): Promise<TestPage> {
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') troubles.push(line.text());
  });
  return { page, troubles };
}
