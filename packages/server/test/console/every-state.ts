// The console over a real server with data of every state: the demo's.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, BrowserContext } from 'playwright-core';
import { makeEveryState } from '../../../../demo/every-state.ts';
import { makeShop } from '../../../../demo/make-shop.ts';
import { createOperator, type Operate } from '../../../../demo/operator.ts';
import type { Unwrite } from '../../../../demo/unwrite.ts';
import { openPage, type TestPage } from '../helpers/console/chromium.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

export interface ConsoleWorld {
  /** By a name of this machine: links are redeemed there alone. */
  readonly url: string;
  /** A script beside the console, as another operator. */
  readonly operate: Operate;
  /** Signed in, on the overview. */
  signIn(browser: Browser, role: string, options?: ContextOptions): Promise<SignedIn>;
  /** The id of the first request of the controller that has this status. */
  requestOf(controllerId: string, status: string): Promise<string>;
  /** Changes an SQLite store behind the server's back. */
  changeStore(sql: string): void;
  close(): Promise<void>;
}

export interface SignedIn extends TestPage {
  readonly context: BrowserContext;
}

export interface ContextOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
}

export async function makeConsoleWorld(
  environment: Readonly<Record<string, string>> = {},
): Promise<ConsoleWorld> {
  const folder = makeTemporaryFolder();
  mkdirSync(folder.path, { recursive: true });
  makeShop(join(folder.path, 'shop.db'), { customers: 20, ordersOfTheBusiest: 3 });
  const unwrite: Unwrite = await makeEveryState(folder.path, environment);
  const operate = await createOperator(unwrite, 'script');
  const url = unwrite.url.replace('127.0.0.1', 'localhost');
  return {
    url,
    operate,
    async signIn(browser, role, options = {}) {
      const link = unwrite.command('console', 'link', '--role', role, '--as', 'olga');
      const context = await browser.newContext({ ...options, locale: 'en-GB' });
      const opened = await openPage(context);
      await opened.page.goto((link as { url: string }).url);
      await opened.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      return { ...opened, context };
    },
    async requestOf(controllerId, status) {
      const found = await operate(`/requests?controller=${controllerId}&status=${status}`);
      const [first] = (found as { items: { subject_request_id: string }[] }).items.toReversed();
      if (first === undefined) throw new Error(`${controllerId} has no ${status} request`);
      return first.subject_request_id;
    },
    changeStore(sql) {
      const database = new DatabaseSync(join(folder.path, 'data/unwrite.db'), { timeout: 5000 });
      database.exec(sql);
      database.close();
    },
    async close() {
      await unwrite.stop();
      folder.remove();
    },
  };
}
