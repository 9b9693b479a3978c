// Our own disk fills up while targets are being erased.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Evidence, TableEvidence } from '../../src/domain/task/task.ts';
import { makeProcessInstallation, type TestInstallation } from '../e2e/set-up/installation.ts';
import {
  CONTROLLERS,
  emailOf,
  expectedChecksums,
  fillShop,
  readChecksums,
  type ShopSize,
  shopTarget,
} from '../e2e/set-up/shop.ts';
import { type ShopDatabase, SQLITE } from '../e2e/set-up/shop-database.ts';
import { startAskedShop } from '../e2e/set-up/wrapped-shop.ts';
import { canMountDisks, mountSmallDisk, type SmallDisk } from '../helpers/small-disk.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const SIZE: ShopSize = { customers: 200, ordersEach: 2, heavy: 0, ordersOfTheHeavy: 0 };
const ACME = CONTROLLERS[0];
const PEOPLE = Array.from({ length: SIZE.customers / 2 }, (_, n) => 2 * n);
/** It has no latency to keep, and the machine may be busy. */
const PATIENCE = 240_000;
/** Each waits for a lease to end, so `npm test` has the worse one only: erased, and it cannot be said. */
const STEPS =
  process.env.UNWRITE_TEST_CRASH_ROUNDS === undefined ? ['verify'] : ['erase', 'verify'];
const isPossible = canMountDisks();
if (!isPossible) console.log('Not tested: a full disk. Only root can mount a small one.');

describe.skipIf(!isPossible)('a store whose disk is full', () => {
  let folder: TemporaryFolder;
  let disk: SmallDisk;
  let shop: ShopDatabase;
  let unwrite: TestInstallation;
  let closeAsked: () => Promise<void>;

  beforeEach(async () => {
    folder = makeTemporaryFolder();
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const mounted = mountSmallDisk(data, 12);
    if (mounted === undefined) throw new Error('the disk could not be mounted');
    disk = mounted;
    shop = await SQLITE.open(folder.path);
    await fillShop(SQLITE, shop, SIZE);
  });
  afterEach(async () => {
    await unwrite.kill('SIGKILL');
    await closeAsked();
    await shop.close();
    disk.remove();
    folder.remove();
  });

  async function statuses(ids: readonly string[]): Promise<string[]> {
    return Promise.all(ids.map((id) => unwrite.status(ACME, id)));
  }

  /** Whoever is completed is gone: never the other way round. */
  async function expectTruth(ids: readonly string[]): Promise<void> {
    const said = await statuses(ids);
    const there = new Set((await shop.query('SELECT id FROM customers')).map((row) => row.id));
    expect(PEOPLE.filter((n, at) => said[at] === 'completed' && there.has(n))).toEqual([]);
  }

  it.each(STEPS)(
    'a full disk when it is to %s: nothing is completed while rows remain, and it continues when there is space',
    { timeout: PATIENCE },
    async (at) => {
      let times = 0;
      let isFull = false;
      const onStep = async (step: string) => {
        if (step !== at || ++times !== 2) return;
        disk.fill();
        isFull = true;
      };
      const asked = await startAskedShop(folder.path, shopTarget(shop), onStep, 'batch_size: 10');
      closeAsked = asked.close;
      unwrite = await makeProcessInstallation(
        folder.path,
        `cancellation_window: 0s\ntargets:\n${asked.target}`,
      );
      await unwrite.start();
      const ids = await Promise.all(
        PEOPLE.map((n) => unwrite.submit(ACME, [['email', emailOf(n)]])),
      );
      await until(
        () => isFull && /error while|could not be written/.test(unwrite.output()),
        () => `the full disk was not noticed: ${unwrite.output()}`,
        PATIENCE,
      );
      await expectTruth(ids);
      expect(await statuses(ids)).toContain('in_progress');
      disk.fill();
      for (let n = 0; n < 30; n++)
        await expect(unwrite.submit(ACME, [['email', emailOf(0)]])).rejects.toThrow('503');
      const lines = unwrite.output().match(/"msg":"the store could not be written"/g) ?? [];
      expect(lines.length).toBeLessThan(25);
      await expectTruth(ids);

      disk.free();
      await unwrite.untilCompleted(ACME, ids, PATIENCE);
      expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set(PEOPLE)));
      const tasks: { evidence: Evidence }[] = await unwrite.command(
        'task',
        'list',
        '--limit',
        '999',
      );
      // A module is not asked how an attempt ended that could not be reported: its rows are said to be unconfirmed.
      const told = (table?: TableEvidence) => (table?.rows ?? 0) + (table?.unconfirmed ?? 0);
      for (const { evidence } of tasks) {
        const { orders, customers } = evidence.tables;
        expect([told(orders), told(customers)]).toEqual([2, 1]);
      }
    },
  );
});
