// The server is stopped in the middle of its work.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { untilRefused } from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { makeInstallation, type TestInstallation } from './set-up/installation.ts';
import {
  CONTROLLERS,
  emailOf,
  expectedChecksums,
  fillShop,
  readChecksums,
  type ShopSize,
  shopTarget,
} from './set-up/shop.ts';
import { type ShopDatabase, SQLITE } from './set-up/shop-database.ts';
import { startAskedShop } from './set-up/wrapped-shop.ts';

const SIZE: ShopSize = { customers: 20, ordersEach: 2, heavy: 0, ordersOfTheHeavy: 0 };
const ACME = CONTROLLERS[0];
const PATIENCE = 60_000;
const configOf = (targets: string) => `cancellation_window: 0s\ntargets:\n${targets}`;

let folder: TemporaryFolder;
let shop: ShopDatabase;
let unwrite: TestInstallation;
const closings: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = makeTemporaryFolder();
  shop = await SQLITE.open(folder.path);
  await fillShop(SQLITE, shop, SIZE);
});
afterEach(async () => {
  await unwrite.kill('SIGTERM');
  for (const close of closings.splice(0)) await close();
  await shop.close();
  folder.remove();
});

async function install(targets: string): Promise<void> {
  unwrite = await makeInstallation(folder.path, configOf(targets));
  await unwrite.start();
}

const submit = (customer: number) => unwrite.submit(ACME, [['email', emailOf(customer)]]);

const countErased = async (): Promise<number> =>
  (await unwrite.command('task', 'list', '--state', 'erased')).length;

it('after SIGTERM the running batch is finished, and the restarted server continues with the rest', {
  timeout: PATIENCE,
}, async () => {
  let reached: () => void = () => undefined;
  const isErasing = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let goOn: () => void = () => undefined;
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const onStep = async (step: string) => {
    if (step !== 'erase') return;
    reached();
    await mayGoOn;
  };
  const asked = await startAskedShop(folder.path, shopTarget(shop), onStep, 'batch_size: 2');
  closings.push(asked.close);
  await install(asked.target);
  const people = [0, 2, 4, 6, 8, 10];
  const ids = await Promise.all(people.map(submit));
  await isErasing;
  const port = Number(new URL(unwrite.server().url).port);
  const ended = unwrite.kill('SIGTERM');
  await untilRefused(port);
  goOn();
  expect(await ended).toBe(0);

  const left = (await readChecksums(shop)).customers.rows;
  const erased = await countErased();
  expect(erased).toBeGreaterThan(0);
  expect(erased).toBeLessThan(people.length);
  expect(left).toBe(SIZE.customers - erased);
  expect(await unwrite.command('task', 'list', '--state', 'running')).toEqual([]);

  await unwrite.start();
  await unwrite.untilCompleted(ACME, ids);
  expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set(people)));
  const tasks: { evidence: object }[] = await unwrite.command('task', 'list');
  for (const { evidence } of tasks) {
    expect(evidence).toMatchObject({ tables: { orders: { rows: 2 }, customers: { rows: 1 } } });
    expect(evidence).not.toHaveProperty('recovered');
  }
});
