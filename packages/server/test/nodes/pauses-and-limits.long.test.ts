// Pauses and daily limits hold over all nodes, and an operator sees which node works on what.
import { setTimeout as rest } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inParallel } from '../e2e/set-up/installation.ts';
import { CONTROLLERS, emailOf, fillShop, type ShopSize, shopTarget } from '../e2e/set-up/shop.ts';
import { POSTGRES, type ShopDatabase } from '../e2e/set-up/shop-database.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { postJson } from '../helpers/http/api.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import { startNodes, type TestNodes } from '../helpers/servers/nodes.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const STOPS_WITHIN_MS = 5000;
const ACME = CONTROLLERS[0];
const PATIENCE = { timeout: 90_000 };

describe.skipIf(!(await hasPostgres()))('on two nodes that erase', () => {
  let shop: ShopDatabase;
  let installation: TestNodes;

  beforeEach(async () => {
    const folder = makeTemporaryFolder();
    shop = await POSTGRES.open(folder.path);
    folder.remove();
  });
  afterEach(async () => {
    await installation.close();
    await shop.close();
  });

  async function install(customers: number, settings: string, more: string): Promise<void> {
    const size: ShopSize = {
      customers: 2 * customers,
      ordersEach: 1,
      heavy: 0,
      ordersOfTheHeavy: 0,
    };
    await fillShop(POSTGRES, shop, size);
    const targets = `targets:\n${shopTarget(shop, more)}`;
    const config = `cancellation_window: 0s\n${settings}\n${targets}`;
    installation = await startNodes({ roles: ['all', 'all'], config });
  }

  /** Through both nodes; every second customer is acme's. */
  async function submitAll(customers: number): Promise<void> {
    const { nodes } = installation;
    const token = await nodes[0]?.token(ACME);
    await inParallel(Array.from({ length: customers }), 16, async (_, n) => {
      const body = requestBody({ subject_identities: [identity('email', emailOf(2 * n))] });
      const answer = await postJson(`${nodes[n % nodes.length]?.url}/requests`, body, token);
      if (answer.status !== 201) throw new Error(`not created: ${answer.status}`);
    });
  }

  async function customersLeft(): Promise<number> {
    const [row] = await shop.query(`SELECT count(*) AS n FROM customers WHERE account = '${ACME}'`);
    return Number(row?.n);
  }

  const untilLeft = (count: number) =>
    until(
      async () => (await customersLeft()) <= count,
      () => `more than ${count} are left`,
    );

  /** As soon as there are no fewer a second later. */
  async function leftWhenStopped(): Promise<number> {
    const deadline = Date.now() + STOPS_WITHIN_MS;
    for (let left = await customersLeft(); ; ) {
      await rest(1000);
      const now = await customersLeft();
      if (now === left) return left;
      if (Date.now() > deadline) throw new Error('erasing goes on');
      left = now;
    }
  }

  async function completed(): Promise<number> {
    const row = await installation.database.get<{ count: number }>(
      `SELECT count(*) AS count FROM @requests WHERE status = 'completed'`,
    );
    return row?.count ?? 0;
  }

  it(
    'pause by the command line stops all erasing within five seconds, until resume',
    PATIENCE,
    async () => {
      const customers = 80;
      await install(customers, 'max_starts_per_day: off', 'batch_size: 1');
      await installation.command('pause', '--as', 'olga');
      await submitAll(customers);
      const doing = await installation.command('node', 'list');
      expect(doing).toHaveLength(2);
      for (const node of doing) {
        expect(node).toMatchObject({
          role: 'all',
          is_alive: true,
          state: 'serving',
          pid: process.pid,
        });
      }
      await installation.command('resume', '--as', 'olga');
      await untilLeft(customers - 1);
      await installation.command('pause', '--as', 'olga');
      expect(await leftWhenStopped()).toBeGreaterThan(0);
      const paused = await installation.command('node', 'list');
      expect(paused.map(({ batches }: { batches: unknown }) => batches)).toEqual([[], []]);

      await installation.command('resume', '--as', 'olga');
      await until(
        async () => (await completed()) === customers,
        () => 'not all were completed',
        60_000,
      );
      expect(await customersLeft()).toBe(0);
    },
  );

  it(
    'a stolen secret starts no more than max_starts_per_day, and an alarm is raised',
    PATIENCE,
    async () => {
      const [customers, max] = [300, 20];
      await install(customers, `max_starts_per_day: ${max}`, 'concurrency: 4\n    batch_size: 3');
      await submitAll(customers);
      await untilLeft(customers - max);
      const listed = () => installation.command('alarms', 'list');
      await until(
        async () => (await listed()).length > 0,
        () => 'no alarm was raised',
      );
      await rest(2000);
      expect(await customersLeft()).toBe(customers - max);
      expect(await listed()).toEqual([
        expect.objectContaining({ kind: 'daily_starts', controller_id: ACME }),
      ]);
      const row = await installation.database.get<{ count: number }>(
        `SELECT count(*) AS count FROM @requests WHERE status = 'pending'`,
      );
      expect(row?.count).toBe(customers - max);
    },
  );

  it('no more than max_rows_per_day rows of a target are erased', PATIENCE, async () => {
    // Two rows each.
    const [customers, max] = [120, 50];
    const target = `max_rows_per_day: ${max}\n    concurrency: 8\n    batch_size: 3`;
    await install(customers, 'max_starts_per_day: off', target);
    await submitAll(customers);
    await untilLeft(customers - max / 2);
    await rest(2000);
    expect(await customersLeft()).toBe(customers - max / 2);
    const row = await installation.database.get<{ count: number }>(
      `SELECT count FROM @daily_counts WHERE what = 'rows' AND whose = 'shop' AND day >= 0`,
    );
    expect(row?.count).toBe(max);
  });
});
