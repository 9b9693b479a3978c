import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../helpers/console/axe.ts';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { type ConsoleWorld, makeConsoleWorld } from './every-state.ts';

describe.skipIf(!hasChromium())('the console in a browser', { timeout: 120_000 }, () => {
  let world: ConsoleWorld;
  let browser: Browser;
  beforeAll(async () => {
    buildConsole();
    [world, browser] = await Promise.all([makeConsoleWorld(), launchChromium()]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  it('shows the sign-in page to a person who is not signed in', async () => {
    const page = await browser.newPage();
    await page.goto(`${world.url}/console/requests?status=pending`);
    await page.waitForURL(
      /\/operator\/sign-in\?return_to=%2Fconsole%2Frequests%3Fstatus%3Dpending/,
    );
    await page.close();
  });

  it('says at a glance what needs attention, which deadline is nearest and what is down', async () => {
    const { page, troubles, context } = await world.signIn(browser, 'viewer');
    const late = await world.requestOf('acme', 'in_progress');
    await page.getByText('Needs attention').first().waitFor();
    await page
      .getByText(/(hours|days) late/)
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: new RegExp(late.slice(0, 8)) })
      .first()
      .waitFor();
    // By the law it is late, though what was expected is weeks away: that is what its line says.
    const first = page.getByRole('listitem').filter({ hasText: 'To be done by hand' }).first();
    expect(await first.innerText()).toMatch(/(hours|days) late/);
    await page.getByText('1 not working').waitFor();
    await page.getByRole('link', { name: 'crm', exact: true }).waitFor();
    await page.getByText('More rows than the limit').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // A viewer decides nothing.
    expect(await page.getByRole('button', { name: /Decide|Confirm|Retry|Pause/ }).count()).toBe(0);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('releases what is held, and shows without reloading that it was completed', async () => {
    const { page, troubles, context } = await world.signIn(browser, 'operator');
    const id = await world.requestOf('globex', 'in_progress');
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('Counted by the preview').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByText('Released: it continues in a moment').waitFor();
    await page.goto(`${world.url}/console/requests/globex/${id}`);
    await page.getByText('Searched again: nothing left').waitFor({ timeout: 30_000 });
    await page.getByText('Signed receipt').waitFor({ timeout: 30_000 });
    expect(await page.content()).not.toContain('someone0@example.net');
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('pauses all erasing after a question, says so on every page, and resumes', async () => {
    const { page, context } = await world.signIn(browser, 'operator');
    await page.getByRole('button', { name: 'Pause erasing' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause erasing' }).click();
    await page.getByText('Requests are accepted, but nothing is erased.').waitFor();
    await page.getByRole('link', { name: 'Audit' }).first().click();
    await page.getByText('Requests are accepted, but nothing is erased.').waitFor();
    await world.operate('/resume', {});
    await page.getByText('Requests are accepted').waitFor({ state: 'detached', timeout: 20_000 });
    await context.close();
  });
});
