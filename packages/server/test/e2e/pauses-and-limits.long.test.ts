// An operator pauses erasing while a separate server process is erasing.
import { setTimeout as rest } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import {
  inParallel,
  makeProcessInstallation,
  type TestInstallation,
} from './set-up/installation.ts';
import { CONTROLLERS, emailOf, fillShop, shopTarget } from './set-up/shop.ts';
import { type ShopDatabase, SQLITE } from './set-up/shop-database.ts';

const SUBMITTED = Number(process.env.UNWRITE_TEST_STOLEN ?? 150);
const STOPS_WITHIN_MS = 5000;
const PATIENCE = 120_000 + SUBMITTED * 20;
const ACME = CONTROLLERS[0];
let folder: TemporaryFolder;
let shop: ShopDatabase;
let unwrite: TestInstallation;

beforeEach(async () => {
  folder = makeTemporaryFolder();
  shop = await SQLITE.open(folder.path);
  const customers = SUBMITTED * 2;
  await fillShop(SQLITE, shop, { customers, ordersEach: 1, heavy: 0, ordersOfTheHeavy: 0 });
});
afterEach(async () => {
  await unwrite.kill('SIGTERM');
  await shop.close();
  folder.remove();
});

async function install(): Promise<void> {
  const target = shopTarget(shop, 'batch_size: 1');
  const config = `cancellation_window: 0s\nmax_starts_per_day: off\ntargets:\n${target}`;
  unwrite = await makeProcessInstallation(folder.path, config);
  await unwrite.start();
}

/** Every second customer is acme's. */
const submitAll = () =>
  inParallel(Array.from({ length: SUBMITTED }), 16, (_, n) =>
    unwrite.submit(ACME, [['email', emailOf(n * 2)]]),
  );

async function customersLeft(): Promise<number> {
  const [row] = await shop.query(`SELECT count(*) AS n FROM customers WHERE account = '${ACME}'`);
  return Number(row?.n);
}

it('pause stops all erasing within five seconds, across a restart, until resume', {
  timeout: PATIENCE,
}, async () => {
  await install();
  await unwrite.command('pause', '--as', 'olga');
  const ids = await submitAll();
  await unwrite.command('resume', '--as', 'olga');
  await until(
    async () => (await customersLeft()) < SUBMITTED,
    () => 'nothing was erased',
  );
  await unwrite.command('pause', '--as', 'olga');
  await rest(STOPS_WITHIN_MS);
  const left = await customersLeft();
  expect(left).toBeGreaterThan(0);

  const another = await unwrite.submit(ACME, [['email', 'somebody@example.com']]);
  await until(
    async () => (await unwrite.status(ACME, another)) === 'in_progress',
    () => 'requests do not start while erasing is paused',
  );
  await unwrite.kill('SIGTERM');
  await unwrite.start();
  await rest(2000);
  expect(await customersLeft()).toBe(left);

  await unwrite.command('resume', '--as', 'olga');
  await unwrite.untilCompleted(ACME, [...ids, another]);
  expect(await customersLeft()).toBe(0);
});
