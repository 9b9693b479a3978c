// The server is stopped in the middle of its work.
import { expect, it } from 'vitest';
import { untilRefused } from '../helpers/servers/server-process.ts';
import { expectedChecksums, readChecksums, shopTarget } from './set-up/shop.ts';
import { ACME, SMALL, useShopInstallation } from './set-up/use-shop-installation.ts';
import { startAskedShop } from './set-up/wrapped-shop.ts';

const world = useShopInstallation();

it('after SIGTERM the running batch is finished, and the restarted server continues with the rest', {
  timeout: 60_000,
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
  const { folder, shop } = world;
  const asked = await startAskedShop(folder(), shopTarget(shop), onStep, 'batch_size: 2');
  world.closeAfter(asked.close);
  await world.install(asked.target);
  const { unwrite } = world;
  const people = [0, 2, 4, 6, 8, 10];
  const ids = await Promise.all(people.map(world.submit));
  await isErasing;
  const port = Number(new URL(unwrite.server().url).port);
  const ended = unwrite.kill('SIGTERM');
  await untilRefused(port);
  goOn();
  expect(await ended).toBe(0);

  const left = (await readChecksums(shop)).customers.rows;
  const erased = await world.countErased();
  expect(erased).toBeGreaterThan(0);
  expect(erased).toBeLessThan(people.length);
  expect(left).toBe(SMALL.customers - erased);
  expect(await unwrite.command('task', 'list', '--state', 'running')).toEqual([]);

  await unwrite.start();
  await unwrite.untilCompleted(ACME, ids);
  expect(await readChecksums(shop)).toEqual(expectedChecksums(SMALL, new Set(people)));
  const tasks: { evidence: object }[] = await unwrite.command('task', 'list');
  for (const { evidence } of tasks) {
    expect(evidence).toMatchObject({ tables: { orders: { rows: 2 }, customers: { rows: 1 } } });
    expect(evidence).not.toHaveProperty('recovered');
  }
});
