// A real browser for tests of the console: the system's Chromium, which the set-up installs where it can.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const CHROMIUM: string | undefined =
  process.env.UNWRITE_TEST_CHROMIUM ?? PLACES.find((path) => existsSync(path));

export interface TestPage {
  readonly page: Page;
  /** What went wrong in the page: errors of scripts, refused by the policy, calls that failed. */
  readonly troubles: readonly string[];
}

export function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium');
  // As root, Chromium refuses its own sandbox. It opens our own pages alone.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
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
