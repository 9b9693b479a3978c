// The target's own server dies in the middle of an erasure, and comes back.
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
import {
  type DatabaseKind,
  MARIADB,
  POSTGRES,
  type Rows,
  type ShopDatabase,
} from '../e2e/set-up/shop-database.ts';
import { startAskedShop } from '../e2e/set-up/wrapped-shop.ts';
import { hasMariadb } from '../helpers/databases/fresh-mariadb.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { type DatabaseServer, startGuarded } from '../helpers/databases/guarded-server.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const ROUNDS = Math.max(1, Math.round(Number(process.env.UNWRITE_TEST_CRASH_ROUNDS ?? 2) / 2));
const SIZE: ShopSize = { customers: 120, ordersEach: 4, heavy: 0, ordersOfTheHeavy: 0 };
const ACME = CONTROLLERS[0];
const PEOPLE = Array.from({ length: SIZE.customers / 2 }, (_, n) => 2 * n);
const PATIENCE = 120_000;

interface ServerKind {
  readonly kind: DatabaseKind;
  readonly connector: string;
  start(): Promise<DatabaseServer>;
  /** On a connection of its own: none outlives the server. */
  run(url: string, sql: string): Promise<Rows>;
  /** What makes a commit survive the death of the server, which the tests' settings leave out. */
  readonly durable: (name: string) => string;
}

const KINDS: ServerKind[] = [
  {
    kind: POSTGRES,
    connector: 'postgres',
    start: () => startGuarded('postgres'),
    durable: (name) => `ALTER DATABASE ${name} SET synchronous_commit = on`,
    async run(url, sql) {
      const client = new pg.Client(url);
      await client.connect();
      return client.query(sql).then(
        ({ rows }) => client.end().then(() => rows),
        (error) => client.end().then(() => Promise.reject(error)),
      );
    },
  },
  {
    kind: MARIADB,
    connector: 'mysql',
    start: () => startGuarded('mariadb'),
    durable: () => 'SET GLOBAL innodb_flush_log_at_trx_commit = 1',
    async run(url, sql) {
      const client = await createConnection(url);
      const [rows] = await client.query(sql).finally(() => client.end());
      return Array.isArray(rows) ? (rows as Rows) : [];
    },
  },
];
const has = { postgres: await hasPostgres(), mysql: await hasMariadb() } as Record<string, boolean>;

describe.each(KINDS.filter(({ connector }) => has[connector]))(
  'a $kind.name that dies while it erases',
  ({ kind, connector, start, run, durable }) => {
    let server: DatabaseServer;
    let folder: TemporaryFolder;
    let unwrite: TestInstallation;
    let closeAsked: () => Promise<void>;

    beforeAll(async () => {
      server = await start();
    }, PATIENCE);
    afterAll(() => server.close());
    afterEach(async () => {
      await unwrite.kill('SIGTERM');
      await closeAsked();
      folder.remove();
    });

    async function openShop(name: string): Promise<ShopDatabase> {
      await run(
        server.url + (connector === 'postgres' ? 'postgres' : ''),
        `CREATE DATABASE ${name}`,
      );
      const url = server.url + name;
      await run(url, durable(name));
      const shop: ShopDatabase = {
        address: `connector: ${connector}\n    url: ${url}`,
        query: (sql) => run(url, sql),
        close: async () => undefined,
      };
      await fillShop(kind, shop, SIZE);
      return shop;
    }

    it.each(Array.from({ length: ROUNDS }, (_, n) => n + 1))(
      'loses nothing, erases nothing twice, and its requests are completed when it is back (%i)',
      { timeout: PATIENCE },
      async (round) => {
        folder = makeTemporaryFolder();
        const shop = await openShop(`shop_${round}`);
        let erasures = 0;
        let stopped: Promise<void> | undefined;
        const onStep = async (step: string) => {
          if (step !== 'erase' || ++erasures !== 2) return;
          // Not waited for: the erasure begins, and its server dies somewhere in it.
          setTimeout(() => {
            stopped = server.stop();
          }, Math.random() * 25);
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
          async () => (await unwrite.command('request', 'list', '--attention')).length > 0,
          () => 'no operator sees that the server is gone',
        );
        await stopped;
        const statuses = await Promise.all(ids.map((id) => unwrite.status(ACME, id)));
        expect(statuses).toContain('in_progress');

        await server.start();
        await unwrite.untilCompleted(ACME, ids, PATIENCE);
        expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set(PEOPLE)));
        const tasks: { evidence: object }[] = await unwrite.command(
          'task',
          'list',
          '--limit',
          '999',
        );
        for (const { evidence } of tasks) {
          expect(evidence).toMatchObject({
            action: 'erased',
            verified: 'requeried',
            tables: { orders: { rows: SIZE.ordersEach }, customers: { rows: 1 } },
          });
        }
      },
    );
  },
);
