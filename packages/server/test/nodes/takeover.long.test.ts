// A worker dies, or is silent for longer than its lease: another one takes over within a minute, and
// what the first may still say counts no more.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Evidence } from '../../src/domain/task/task.ts';
import { type Database, openDatabase } from '../../src/store/postgres/database.ts';
import { KILL_POINTS, type KillPoint } from '../crash/killing-target.ts';
import { inParallel } from '../e2e/set-up/installation.ts';
import {
  CONTROLLERS,
  emailOf,
  expectedChecksums,
  fillShop,
  readChecksums,
  type ShopSize,
  shopTarget,
} from '../e2e/set-up/shop.ts';
import { POSTGRES, type ShopDatabase } from '../e2e/set-up/shop-database.ts';
import { moduleTarget, readTarget, startAskedShop } from '../e2e/set-up/wrapped-shop.ts';
import { freshPostgres, hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { postJson } from '../helpers/http/api.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import {
  makeNodeProcesses,
  type NodeProcess,
  type NodeProcesses,
} from '../helpers/servers/node-processes.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const ACME = CONTROLLERS[0];
const SIZE: ShopSize = { customers: 60, ordersEach: 3, heavy: 0, ordersOfTheHeavy: 0 };
/** The last is nobody's customer. */
const PEOPLE = [0, 2, 4, 14, 16, 18, 2000];
const GONE = new Set(PEOPLE.filter((customer) => customer < SIZE.customers));
const TAKEOVER_MS = 60_000;
/** A lease, the heartbeats of a job, and the time between two looks for jobs without them. */
const TIMERS_MS = 50_000;
/** For what is not promised to be quick, such as starting processes on a machine that is busy. */
const PATIENCE_MS = 240_000;
const PATIENCE = { timeout: 4 * PATIENCE_MS };

interface World {
  readonly nodes: NodeProcesses;
  readonly database: Database;
  /** Requests are in before anybody erases: one batch has them all. */
  submitAll(): Promise<void>;
  untilCompleted(withinMs: number): Promise<void>;
}

/** Two run at once, so each has its own. */
type OnFinished = TestContext['onTestFinished'];

async function openShop(folder: string, onTestFinished: OnFinished): Promise<ShopDatabase> {
  const shop = await POSTGRES.open(folder);
  await fillShop(POSTGRES, shop, SIZE);
  onTestFinished(() => shop.close());
  return shop;
}

async function makeWorld(
  folder: string,
  targets: string,
  onTestFinished: OnFinished,
): Promise<World> {
  const { url, close } = await freshPostgres();
  onTestFinished(close);
  const schema = 'unwrite';
  const config = `cancellation_window: 0s\ntargets:\n${targets}`;
  const nodes = makeNodeProcesses({ folder, url, schema, config });
  const database = openDatabase({
    url,
    schema,
    poolSize: 1,
    statementTimeout: 30_000,
    prepare: true,
    name: 'unwrite test',
  });
  onTestFinished(async () => {
    await nodes.close();
    await database.close();
  });
  const api = await nodes.add('api', 'api');
  api.start();
  await api.untilReady();

  async function open(): Promise<number> {
    const row = await database.get<{ count: number }>(
      `SELECT count(*) AS count FROM @requests WHERE status <> 'completed'`,
    );
    return row?.count ?? 0;
  }

  return {
    nodes,
    database,
    async submitAll() {
      const token = await nodes.token(api.url, ACME);
      await inParallel(PEOPLE, 4, async (customer) => {
        const body = requestBody({ subject_identities: [identity('email', emailOf(customer))] });
        const answer = await postJson(`${api.url}/requests`, body, token);
        expect(answer.status).toBe(201);
      });
    },
    untilCompleted: (withinMs) =>
      until(
        async () => (await open()) === 0,
        () => 'not all were completed',
        withinMs,
      ),
  };
}

async function evidenceOf({ database }: World, target: string): Promise<Evidence[]> {
  const rows = await database.all<{ evidence: string }>(
    'SELECT evidence FROM @tasks WHERE target = $1 ORDER BY task_no',
    [target],
  );
  return rows.map(({ evidence }) => JSON.parse(evidence));
}

async function expectCountedOnce(world: World, target: string): Promise<void> {
  const evidence = await evidenceOf(world, target);
  const told = evidence.filter(({ action }) => action !== 'not_found');
  expect(told).toHaveLength(GONE.size);
  // A module is not asked how a call ended.
  for (const { tables } of told) {
    const rows = ['orders', 'customers'].map(
      (name) => (tables[name]?.rows ?? 0) + (tables[name]?.unconfirmed ?? 0),
    );
    expect(rows).toEqual([SIZE.ordersEach, 1]);
  }
  expect(evidence.filter(({ action }) => action === 'not_found')).toHaveLength(1);
  const counts = await world.database.all<{ what: string; count: number }>(
    'SELECT what, count FROM @daily_counts WHERE whose = $1 AND day >= 0 ORDER BY what',
    [target],
  );
  expect(counts).toEqual([
    { what: 'not_found', count: 1 },
    { what: 'rows', count: GONE.size * (SIZE.ordersEach + 1) },
    { what: 'tasks', count: PEOPLE.length },
  ]);
}

/** One for each point, which kills the server that erases there once. */
async function openKillingTargets(folder: string, onTestFinished: OnFinished) {
  const shops = new Map<KillPoint, ShopDatabase>();
  const targets: string[] = [];
  for (const point of KILL_POINTS) {
    const shop = await openShop(folder, onTestFinished);
    shops.set(point, shop);
    const options = {
      target: readTarget(folder, shopTarget(shop)),
      point,
      once: markOf(folder, point),
    };
    const module = new URL('../crash/killing-target.ts', import.meta.url);
    targets.push(moduleTarget(module, options).replace('shop:', `${nameOf(point)}:`));
  }
  return { shops, targets: targets.join('') };
}

/**
 * In how many milliseconds a worker has to take over and be done: a minute. Where that is less than the timers and twice
 * the time in which a worker starts and does the same work undisturbed, at the same time on the same machine, it is
 * these.
 */
async function measureTakeoverLimit(onTestFinished: OnFinished): Promise<number> {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder.remove());
  const { targets } = await openKillingTargets(folder.path, onTestFinished);
  for (const point of KILL_POINTS) writeFileSync(markOf(folder.path, point), '');
  const world = await makeWorld(folder.path, targets, onTestFinished);
  await world.submitAll();
  const started = Date.now();
  const worker = await world.nodes.add('worker', 'worker', { UNWRITE_CONCURRENCY: '1' });
  worker.start();
  await world.untilCompleted(PATIENCE_MS);
  const undisturbed = Date.now() - started;
  await world.nodes.close();
  return Math.max(TAKEOVER_MS, TIMERS_MS + 2 * undisturbed);
}

describe.skipIf(!(await hasPostgres())).concurrent('workers that fall silent', () => {
  it(
    `killed ${KILL_POINTS.join(', ')}: the last one takes over`,
    PATIENCE,
    async ({ onTestFinished }) => {
      const folder = makeTemporaryFolder();
      onTestFinished(() => folder.remove());
      const limit = await measureTakeoverLimit(onTestFinished);
      const { shops, targets } = await openKillingTargets(folder.path, onTestFinished);
      const world = await makeWorld(folder.path, targets, onTestFinished);
      await world.submitAll();
      // Each works on one target at a time, so each kill takes one of them.
      const workers: NodeProcess[] = [];
      for (let n = 0; n <= KILL_POINTS.length; n++) {
        const one = await world.nodes.add(`worker-${n + 1}`, 'worker', {
          UNWRITE_CONCURRENCY: '1',
        });
        one.start();
        workers.push(one);
      }
      const running = () => workers.filter((worker) => worker.isRunning());
      await until(
        () => running().length === 1,
        () => `${running().length} workers are left`,
        PATIENCE_MS,
      );
      const died = Date.now();
      await world.untilCompleted(PATIENCE_MS);
      expect(Date.now() - died).toBeLessThan(limit);

      for (const point of KILL_POINTS) {
        await expectCountedOnce(world, nameOf(point));
        const shop = shops.get(point) as ShopDatabase;
        expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, GONE));
        const evidence = await evidenceOf(world, nameOf(point));
        const unconfirmed = evidence.filter(({ tables }) => tables.customers?.unconfirmed === 1);
        expect(unconfirmed).toHaveLength(point === 'before the erase' ? 0 : GONE.size);
      }
    },
  );

  it(
    'stopped for longer than its lease: what it says afterwards is fenced off',
    PATIENCE,
    async ({ onTestFinished }) => {
      const folder = makeTemporaryFolder();
      onTestFinished(() => folder.remove());
      const limit = await measureTakeoverLimit(onTestFinished);
      const shop = await openShop(folder.path, onTestFinished);
      let first: NodeProcess | undefined;
      const steps: string[] = [];
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const { promise: isStopped, resolve: stopped } = Promise.withResolvers<void>();
      const asked = await startAskedShop(folder.path, shopTarget(shop), async (step) => {
        steps.push(step);
        if (step !== 'erase' || steps.filter((one) => one === 'erase').length > 1) return;
        // It has asked whether it may, and does not live to hear the answer before the other one is done.
        first?.process().child.kill('SIGSTOP');
        stopped();
        await released;
      });
      onTestFinished(asked.close);
      const world = await makeWorld(folder.path, asked.target, onTestFinished);
      await world.submitAll();
      first = await world.nodes.add('first', 'worker');
      first.start();
      await isStopped;
      const silent = Date.now();
      const second = await world.nodes.add('second', 'worker');
      second.start();
      await world.untilCompleted(PATIENCE_MS);
      expect(Date.now() - silent).toBeLessThan(limit);
      const before = await evidenceOf(world, 'shop');

      release();
      first.process().child.kill('SIGCONT');
      await until(
        () => first?.output().includes('Fenced') === true,
        () => `nothing was fenced off: ${first?.output().slice(-1000)}`,
        PATIENCE_MS,
      );
      expect(await evidenceOf(world, 'shop')).toEqual(before);
      await expectCountedOnce(world, 'shop');
      expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, GONE));
      const audited = await world.nodes.command(['audit', 'list', '--action', 'task.erased']);
      expect(audited).toHaveLength(PEOPLE.length);
      // It goes on with other work.
      expect(await first.kill('SIGTERM')).toBe(0);
    },
  );
});

const markOf = (folder: string, point: KillPoint) => join(folder, `killed ${point}`);
const nameOf = (point: KillPoint) => point.replaceAll(' ', '_');
