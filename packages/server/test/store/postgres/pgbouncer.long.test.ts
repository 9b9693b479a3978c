// A pooler that hands out connections by the transaction stands before the store, with fewer of them than
// one node would open.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inParallel } from '../../e2e/set-up/installation.ts';
import {
  CONTROLLERS,
  emailOf,
  expectedChecksums,
  fillShop,
  readChecksums,
  type ShopSize,
  shopTarget,
} from '../../e2e/set-up/shop.ts';
import { POSTGRES, type ShopDatabase } from '../../e2e/set-up/shop-database.ts';
import { type FreshDatabase, freshPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { call, postJson } from '../../helpers/http/api.ts';
import { identity, requestBody } from '../../helpers/http/request-body.ts';
import { startNodes, type TestNodes } from '../../helpers/servers/nodes.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import { borrowPgbouncer, KNOWS_PREPARED } from './borrow-pgbouncer.ts';

/** Of run-pgbouncer.ts. */
const POOL_SIZE = 3;
const SIZE: ShopSize = { customers: 120, ordersEach: 1, heavy: 0, ordersOfTheHeavy: 0 };
const ACME = CONTROLLERS[0];
const CANCELLED = 10;
const PATIENCE = { timeout: 45_000, interval: 200 };

const { pooler, version, knowsPrepared } = await borrowPgbouncer();

describe.skipIf(pooler === undefined)(`behind PgBouncer ${version}, by the transaction`, () => {
  let database: FreshDatabase;
  let url: string;

  beforeEach(async () => {
    database = await freshPostgres();
    url = new URL(new URL(database.url).pathname, pooler).href;
  });
  afterEach(() => database.close());

  describe('nodes', () => {
    let shop: ShopDatabase;
    let nodes: TestNodes | undefined;

    beforeEach(async () => {
      const folder = makeTemporaryFolder();
      shop = await POSTGRES.open(folder.path);
      folder.remove();
      await fillShop(POSTGRES, shop, SIZE);
    });
    afterEach(async () => {
      await nodes?.close();
      nodes = undefined;
      await shop.close();
    });

    /** Through all nodes. Every second customer is acme's. */
    async function createCancelReadErase({ nodes }: TestNodes): Promise<void> {
      const token = (await nodes[0]?.token(ACME)) ?? '';
      const at = (n: number) => `${nodes[n % nodes.length]?.url}/requests`;
      const statusesOf = (some: readonly string[]) =>
        inParallel(some, 24, async (id, n) => {
          const { body } = await call(`${at(n + 1)}/${id}`, { token });
          return body.request_status as string;
        });

      const ids = await inParallel(Array.from({ length: SIZE.customers / 2 }), 24, async (_, n) => {
        const body = requestBody({ subject_identities: [identity('email', emailOf(2 * n))] });
        expect((await postJson(at(n), body, token)).status).toBe(201);
        return String(body.subject_request_id);
      });
      const [cancelled, erased] = [ids.slice(0, CANCELLED), ids.slice(CANCELLED)];
      await inParallel(cancelled, 4, async (id, n) => {
        expect((await call(`${at(n)}/${id}`, { method: 'DELETE', token })).status).toBe(202);
      });
      await vi.waitFor(async () => {
        expect(new Set(await statusesOf(erased))).toEqual(new Set(['completed']));
      }, PATIENCE);
      expect(new Set(await statusesOf(cancelled))).toEqual(new Set(['cancelled']));
      const gone = erased.map((_, n) => 2 * (n + CANCELLED));
      expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set(gone)));
    }

    /** What is left behind on a connection would meet whoever gets it next. */
    async function expectNothingOfASession(): Promise<void> {
      const connections = await database.query(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      expect(connections.length).toBeGreaterThan(0);
      expect(connections.length).toBeLessThanOrEqual(POOL_SIZE);
      await vi.waitFor(async () => {
        const locks = await database.query(`
          SELECT classid, objid FROM pg_locks
          WHERE locktype = 'advisory' AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        `);
        expect(locks).toEqual([]);
      }, PATIENCE);
    }

    it.for([
      { title: 'without prepared statements', prepare: false },
      { title: 'with prepared statements', prepare: true },
    ])(
      'create, cancel, read, erase, seal and are operated, $title',
      {
        timeout: 90_000,
      },
      async ({ prepare }, { skip }) => {
        skip(prepare && !knowsPrepared, `it knows them from ${KNOWS_PREPARED} on`);
        nodes = await startNodes({
          roles: ['all', 'all', 'api'],
          config: `cancellation_window: 4s\ntargets:\n${shopTarget(shop)}`,
          flags: { storePrepare: prepare, storeStatementTimeout: 'off', storePoolSize: 10 },
          url,
        });
        const { command } = nodes;
        await createCancelReadErase(nodes);
        await vi.waitFor(async () => {
          const verified = await command('audit', 'verify');
          expect(verified).toMatchObject({ ok: true, unsealed_rows: 0 });
        }, PATIENCE);
        expect((await command('pause', '--as', 'olga')).paused).toHaveLength(1);
        await command('resume', '--as', 'olga');
        expect(await command('keys', 'rotate', '--as', 'olga')).toMatchObject({ done: true });
        expect(await command('node', 'list')).toHaveLength(3);
        expect(await command('request', 'list', '--attention')).toEqual([]);
        await expectNothingOfASession();
      },
    );
  });
});
