// What happens to somebody's dialog while others decide, the network is gone, or a click comes twice: nothing that was
// typed or shown is lost, and nothing is done that was not wanted.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../helpers/console/axe.ts';
import { buildConsole } from '../helpers/console/built-console.ts';
import { hasChromium, launchChromium } from '../helpers/console/chromium.ts';
import { type ConsoleWorld, makeConsoleWorld, type SignedIn } from './every-state.ts';

const PATIENCE_MS = 15_000;

interface Item {
  readonly task: number;
  readonly controller_id: string;
  readonly subject_request_id: string;
}

describe.skipIf(!hasChromium())('several operators at once', { timeout: 120_000 }, () => {
  let world: ConsoleWorld;
  let browser: Browser;
  let signedIn: SignedIn;
  let page: Page;
  beforeAll(async () => {
    buildConsole();
    [world, browser] = await Promise.all([makeConsoleWorld(), launchChromium()]);
    signedIn = await world.signIn(browser, 'admin');
    ({ page } = signedIn);
    page.setDefaultTimeout(PATIENCE_MS);
  }, 240_000);
  afterEach(() => signedIn.context.setOffline(false));
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const dialog = () => page.getByRole('dialog');
  const open = (path: string) => page.goto(`${world.url}/console${path}`);
  async function firstOf(what: string): Promise<Item> {
    const { items } = (await world.operate(`/attention?what=${what}`)) as { items: Item[] };
    const [first] = items;
    if (first === undefined) throw new Error(`nothing is there to ${what}`);
    return first;
  }

  it('does not send later a decision that could not be sent while the network was down', async () => {
    await open('');
    await page.getByRole('button', { name: 'Pause erasing' }).click();
    await signedIn.context.setOffline(true);
    await dialog().getByRole('button', { name: 'Pause erasing' }).click();
    await dialog().getByText('The server does not respond.').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await signedIn.context.setOffline(false);
    await page.waitForTimeout(2000);
    expect(await world.operate('/pause')).toEqual({ paused: [] });
  });

  it('sees on the overview who was first, with what was typed still there', async () => {
    const { task } = await firstOf('confirm');
    await open('');
    await page.getByRole('button', { name: 'Confirm …' }).first().click();
    await dialog().getByRole('textbox').fill('Shredded the folder on Monday');
    await world.operate(`/tasks/${task}/confirm`, { note: 'Done by a colleague' });
    await dialog().getByText('This task has changed').waitFor();
    await dialog().getByText('operator:client:script').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Confirm', exact: true }).click();
    await dialog().getByText('script confirmed it').waitFor();
    expect(await dialog().getByRole('textbox').inputValue()).toBe('Shredded the folder on Monday');
    await dialog().getByRole('button', { name: 'Show the current state' }).click();
    await dialog().getByText('There is nothing left to decide here.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('sees it on the page of the request too', async () => {
    const item = await firstOf('release');
    await open(`/requests/${item.controller_id}/${item.subject_request_id}`);
    await page.getByRole('button', { name: 'Retain …' }).first().click();
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('A long reason');
    await page.mouse.click(4, 4);
    await world.operate(`/tasks/${item.task}/release`, {});
    await dialog().getByText('operator:client:script').waitFor();
    expect(await dialog().getByRole('textbox', { name: 'Reason' }).inputValue()).toBe(
      'A long reason',
    );
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('makes one client by two clicks, and loses its secret neither beside it nor by a key', async () => {
    const clients = async () =>
      ((await world.operate('/controllers/globex')) as { clients: unknown[] }).clients.length;
    const before = await clients();
    await open('/controllers/globex');
    const button = page.getByRole('button', { name: 'New client' });
    await button.dblclick();
    await dialog().getByText('Copy the secret now').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.mouse.click(4, 4);
    await page.keyboard.press('Escape');
    await dialog().getByText('Copy the secret now').waitFor();
    expect(await clients()).toBe(before + 1);
    await dialog().getByRole('button', { name: 'I have copied it' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.locator(':focus').innerText()).toBe('New client');
  });

  it('can type at once where a dialog asks for something', async () => {
    await open('/controllers');
    await page.getByRole('button', { name: 'New controller' }).click();
    await page.keyboard.type('Acme.Ltd');
    await dialog().getByText('lower-case letters').first().waitFor();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByRole('alert').waitFor();
    expect(await dialog().getByRole('textbox', { name: 'Id' }).inputValue()).toBe('Acme.Ltd');
    await page.keyboard.press('Escape');
  });

  it('says so where a page cannot be loaded, and loads it again', async () => {
    await open('');
    const files = '**/console/assets/settings-*.js';
    await page.route(files, (route) => route.fulfill({ status: 404, body: '{}' }));
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'This page cannot be shown' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.unroute(files);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  it.each(['/requests', '/audit'])(
    'does not write a person into the address of %s',
    async (path) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await open(path);
      await page.getByRole('searchbox', { name: 'Request id' }).fill('jane@example.com');
      await page.getByText('To find a person, use the search').waitFor();
      await page.waitForTimeout(1000);
      expect([page.url(), ...asked].filter((url) => /jane/.test(url))).toEqual([]);
      expect(await axeViolations(page)).toEqual([]);
    },
  );
});
