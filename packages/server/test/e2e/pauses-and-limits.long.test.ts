// An operator pauses erasing while a separate server process is erasing.
import { setTimeout as rest } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { until } from '../helpers/until.ts';
import { inParallel, makeProcessInstallation } from './set-up/installation.ts';
import { shopTarget } from './set-up/shop.ts';
import { SQLITE } from './set-up/shop-database.ts';
import { ACME, useShopInstallation } from './set-up/use-shop-installation.ts';

const SUBMITTED = Number(process.env.UNWRITE_TEST_STOLEN ?? 150);
const STOPS_WITHIN_MS = 5000;
const PATIENCE = 120_000 + SUBMITTED * 20;
/** One of acme's stays: a tenant without any row is held. */
const SIZE = { customers: SUBMITTED * 2 + 2, ordersEach: 1, heavy: 0, ordersOfTheHeavy: 0 };
const world = useShopInstallation(SIZE, SQLITE, makeProcessInstallation);

const install = () =>
  world.install(shopTarget(world.shop, 'batch_size: 1'), 'max_starts_per_day: off');

/** Every second customer is acme's. */
const submitAll = () =>
  inParallel(Array.from({ length: SUBMITTED }), 16, (_, n) => world.submit(n * 2));

async function customersLeft(): Promise<number> {
  const [row] = await world.shop.query(
    `SELECT count(*) AS n FROM customers WHERE account = '${ACME}'`,
  );
  return Number(row?.n);
}

it('pause stops all erasing within five seconds, across a restart, until resume', {
  timeout: PATIENCE,
}, async () => {
  await install();
  await world.unwrite.command('pause', '--as', 'olga');
  const ids = await submitAll();
  await world.unwrite.command('resume', '--as', 'olga');
  await until(
    async () => (await customersLeft()) <= SUBMITTED,
    () => 'nothing was erased',
  );
  await world.unwrite.command('pause', '--as', 'olga');
  await rest(STOPS_WITHIN_MS);
  const left = await customersLeft();
  expect(left).toBeGreaterThan(1);

  const another = await world.unwrite.submit(ACME, [['email', 'somebody@example.com']]);
  await until(
    async () => (await world.unwrite.status(ACME, another)) === 'in_progress',
    () => 'requests do not start while erasing is paused',
  );
  await world.unwrite.kill('SIGTERM');
  await world.unwrite.start();
  await rest(2000);
  expect(await customersLeft()).toBe(left);

  await world.unwrite.command('resume', '--as', 'olga');
  await world.unwrite.untilCompleted(ACME, [...ids, another]);
  expect(await customersLeft()).toBe(1);
});
