import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../helpers/console/axe.ts';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { makeTestStore, storeKinds } from '../helpers/stores/test-store.ts';
import { type ConsoleWorld, makeConsoleWorld } from './every-state.ts';

const KINDS = await storeKinds();
const WIDE = { width: 1440, height: 900 };
const LOOKS = [
  { colorScheme: 'light', viewport: WIDE },
  { colorScheme: 'dark', viewport: WIDE },
  { colorScheme: 'light', viewport: { width: 360, height: 780 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 780 } },
] as const;

describe.skipIf(!hasChromium()).each(KINDS)(
  'every page of the console, on a %s store',
  { timeout: 240_000 },
  (kind) => {
    let world: ConsoleWorld;
    let browser: Browser;
    let paths: string[];
    beforeAll(async () => {
      buildConsole();
      const { environment } = await makeTestStore(kind);
      [world, browser] = await Promise.all([makeConsoleWorld(environment), launchChromium()]);
      await world.operate('/targets/shop/check', {});
      // Names as long as they may be, without a blank.
      const long = 'l'.repeat(64);
      await world.operate('/controllers', { controller_id: long, name: 'n'.repeat(200) });
      await world.operate(`/controllers/${long}/clients`, { name: 'c'.repeat(200) });
      await world.operate('/operator-clients', { name: 's'.repeat(100), role: 'viewer' });
      await world.operate('/legal-holds', {
        controller: 'globex',
        identities: [
          {
            identity_type: 'email',
            identity_value: 'else@example.net',
            identity_format: 'raw',
          },
        ],
        reason: 'r'.repeat(200),
      });
      const request = async (controller: string, status: string) =>
        `/requests/${controller}/${await world.requestOf(controller, status)}`;
      paths = [
        '',
        '/attention',
        '/requests',
        '/legal-holds',
        '/targets',
        '/targets/shop',
        '/targets/crm',
        '/controllers',
        '/controllers/acme',
        '/audit',
        '/settings',
        '/no/such/page',
        '/alarms',
        '/restore',
        `/controllers/${long}`,
        await request('globex', 'in_progress'),
        await request('acme', 'in_progress'),
        await request('northwind', 'in_progress'),
        await request('globex', 'completed'),
        await request('acme', 'pending'),
        await request('northwind', 'cancelled'),
      ];
    }, 240_000);
    afterAll(async () => {
      await browser?.close();
      await world?.close();
    });

    // How a page looks does not depend on the store: one look shows that all its data come.
    it.each(kind === 'sqlite' ? LOOKS : LOOKS.slice(0, 1))(
      'breaks no rule of axe, fits and has no error in the $colorScheme theme at $viewport.width × $viewport.height',
      async (look) => {
        const { page, troubles, context } = await world.signIn(browser, 'admin', look);
        for (const path of paths) {
          await page.goto(`${world.url}/console${path}`);
          await settled(page);
          expect([path, await axeViolations(page)]).toEqual([path, []]);
          expect([path, await overflowOf(page)]).toEqual([path, 0]);
        }
        expect(troubles).toEqual([]);
        await context.close();
      },
    );

    it('fits on a screen of 4K', async () => {
      const viewport = { width: 3840, height: 2160 };
      const { page, context } = await world.signIn(browser, 'admin', { viewport });
      for (const path of paths) {
        await page.goto(`${world.url}/console${path}`);
        await settled(page);
        expect([path, await overflowOf(page)]).toEqual([path, 0]);
      }
      await context.close();
    });

    it('shows no identity in the clear, and keeps nothing in the browser', async () => {
      const { page, context } = await world.signIn(browser, 'admin');
      for (const path of paths) {
        await page.goto(`${world.url}/console${path}`);
        await settled(page);
        expect(await page.content()).not.toMatch(/someone\d+@/);
      }
      const { origins } = await context.storageState();
      expect(origins.flatMap(({ localStorage }) => localStorage)).toEqual([]);
      await context.close();
    });

    it('offers a viewer no action', async () => {
      const { page, context } = await world.signIn(browser, 'viewer');
      const acts =
        /Release|Retain|Confirm|Decide|Retry|Start|Pause|Resume|Rotate|Revoke|New |Reveal|Check now|Verify|Preview/;
      for (const path of paths) {
        await page.goto(`${world.url}/console${path}`);
        await settled(page);
        expect([path, await page.getByRole('button', { name: acts }).count()]).toEqual([path, 0]);
      }
      await context.close();
    });
  },
);

async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** How much wider than the screen the page is. */
async function overflowOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { cssContentSize, cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  await session.detach();
  return Math.max(0, cssContentSize.width - cssLayoutViewport.clientWidth);
}
