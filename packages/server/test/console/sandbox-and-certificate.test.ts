// What the console says on every page of a sandbox, and of a processor whose certificate expires soon.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorSignIn, linkAddress } from '../../src/app/operator/sign-in.ts';
import { axeViolations } from '../helpers/console/axe.ts';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium, openPage } from '../helpers/console/chromium.ts';
import { makeAuthority } from '../helpers/http/certificates.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';

const DAY = 86_400_000;

describe.skipIf(!hasChromium())('the console of a sandbox', { timeout: 120_000 }, () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    buildConsole();
    const now = Date.now();
    const validity = { validFrom: now - 80 * DAY, validTo: now + 10 * DAY + 60_000 };
    const { certificate, key } = makeAuthority('authority').issue('localhost', now, validity);
    const flags = { sandbox: 'true', processorCertificate: certificate, processorKey: key };
    [service, browser] = await Promise.all([startService(flags), launchChromium()]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it.each([
    ['wide', 'light', 1280],
    ['narrow', 'dark', 400],
  ] as const)('says so, and when the certificate expires: %s, %s', async (_, theme, width) => {
    const { config, installation } = service;
    const { code } = await createOperatorSignIn(config, installation.store).makeLink(
      { name: 'olga', role: 'admin' },
      'operator:olga',
    );
    const viewport = { width, height: 800 };
    const context = await browser.newContext({ colorScheme: theme, viewport, locale: 'en-GB' });
    const { page, troubles } = await openPage(context);
    await page.goto(linkAddress(config, code));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('unwrite client create --sandbox --controller').waitFor();
    for (const path of ['/requests', '/settings']) {
      await page.goto(`${config.publicUrl}/console${path}`);
      await page.getByRole('region', { name: 'Sandbox' }).getByText('nothing is erased').waitFor();
      const banner = page.getByRole('region', { name: 'Certificate of the processor' });
      await banner.getByText('expires in 10 days. Renew it').waitFor();
    }
    await page.getByText('CN=localhost, 10 days').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await context.close();
  });
});
