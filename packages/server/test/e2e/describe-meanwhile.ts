// Somebody else writes to the same rows while they are erased: between the preview and the erasure, or
// between that and the second look.
import { afterEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
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
import { type DatabaseKind, type ShopDatabase, SQLITE } from './set-up/shop-database.ts';
import { startAskedShop } from './set-up/wrapped-shop.ts';

const SIZE: ShopSize = { customers: 10, ordersEach: 2, heavy: 0, ordersOfTheHeavy: 0 };
const ACME = CONTROLLERS[0];
const OLGA = ['--as', 'olga'];

interface Task {
  readonly state: string;
  readonly reason: string | null;
  readonly previewed_rows: number | null;
  readonly evidence: { readonly tables: Record<string, { rows: number }> } | null;
}

export function describeMeanwhile(kind: DatabaseKind): void {
  describe(`meanwhile, on ${kind.name}`, { timeout: 60_000 }, () => {
    let folder: TemporaryFolder;
    let unwrite: TestInstallation;
    let shop: ShopDatabase;
    let closeAsked: () => Promise<void>;
    let id: string;

    afterEach(async () => {
      await unwrite.kill('SIGTERM');
      await closeAsked();
      await shop.close();
      folder.remove();
    });

    /** Before this step of customer 0's erasure, once. */
    async function eraseMeanwhile(
      step: 'erase' | 'verify',
      sql: string,
      { withForeignKey }: { withForeignKey: boolean },
      setting?: string,
    ): Promise<void> {
      folder = makeTemporaryFolder();
      shop = await kind.open(folder.path);
      await fillShop(kind, shop, SIZE);
      if (!withForeignKey) await loosen();
      let isDone = false;
      const asked = await startAskedShop(
        folder.path,
        shopTarget(shop),
        async (begun) => {
          if (begun !== step || isDone) return;
          isDone = true;
          await shop.query(sql);
        },
        setting,
      );
      closeAsked = asked.close;
      unwrite = await makeInstallation(
        folder.path,
        `cancellation_window: 0s\ntargets:\n${asked.target}`,
      );
      await unwrite.start();
      id = await unwrite.submit(ACME, [['email', emailOf(0)]]);
    }

    /** Nothing but the configuration says then that orders hang on customers. */
    async function loosen(): Promise<void> {
      await shop.query(
        'CREATE TABLE loose (id INTEGER PRIMARY KEY, customer_id INTEGER, note VARCHAR(40))',
      );
      await shop.query('INSERT INTO loose SELECT * FROM orders');
      await shop.query('DROP TABLE orders');
      await shop.query('ALTER TABLE loose RENAME TO orders');
    }

    const task = async (): Promise<Task | undefined> =>
      (await unwrite.command('task', 'list', '--request', id))[0];

    async function untilTask(isSo: (task: Task) => boolean): Promise<void> {
      let last: Task | undefined;
      const isThere = async () => {
        last = await task();
        return last !== undefined && isSo(last);
      };
      await until(isThere, () => `the task is ${JSON.stringify(last)}`);
    }

    async function untilReason(reason: string): Promise<void> {
      await untilTask((it) => it.state !== 'running' && it.reason === reason);
      expect(await unwrite.status(ACME, id)).toBe('in_progress');
      expect(await unwrite.command('request', 'list', '--attention')).toMatchObject([
        { subject_request_id: id },
      ]);
    }

    it('children whose parent went before them are held, until they are gone', async () => {
      await eraseMeanwhile('erase', 'DELETE FROM customers WHERE id = 0', {
        withForeignKey: false,
      });
      await untilReason('orphaned');
      expect((await shop.query('SELECT id FROM orders WHERE customer_id = 0')).length).toBe(2);
      await shop.query('DELETE FROM orders WHERE customer_id = 0');
      await unwrite.command('task', 'release', id, ...OLGA);
      await unwrite.untilCompleted(ACME, [id]);
      expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set([0])));
      expect((await task())?.evidence?.tables).toMatchObject({ orders: { rows: 0 } });
    });

    it('children that come when their parent has gone keep the request open, until they are gone', async () => {
      await eraseMeanwhile('verify', "INSERT INTO orders VALUES (900, 0, 'late')", {
        withForeignKey: false,
      });
      await untilTask((it) => it.state === 'failed' || it.state === 'held');
      expect(await unwrite.status(ACME, id)).toBe('in_progress');
      expect((await shop.query('SELECT id FROM orders WHERE customer_id = 0')).length).toBe(1);
      await shop.query('DELETE FROM orders WHERE id = 900');
      // A database that is asked for children first holds the second try.
      if ((await task())?.state === 'held') await unwrite.command('task', 'release', id, ...OLGA);
      await unwrite.untilCompleted(ACME, [id]);
      expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set([0])));
    });

    it('rows that came since the preview are previewed again, and erased', async () => {
      await eraseMeanwhile('erase', "INSERT INTO orders VALUES (900, 0, 'late')", {
        withForeignKey: true,
      });
      await unwrite.untilCompleted(ACME, [id]);
      expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set([0])));
      expect((await task())?.evidence?.tables).toMatchObject({
        orders: { rows: 3 },
        customers: { rows: 1 },
      });
    });

    it('more rows than an operator released are held unchanged, and erased only when that many are released', async () => {
      await eraseMeanwhile(
        'erase',
        "INSERT INTO orders VALUES (900, 0, 'late')",
        { withForeignKey: true },
        'mode: preview',
      );
      await untilReason('preview_mode');
      expect((await task())?.previewed_rows).toBe(3);
      await unwrite.command('task', 'release', id, ...OLGA);
      await untilReason('more_than_previewed');
      expect((await task())?.previewed_rows).toBe(4);
      expect((await readChecksums(shop)).orders.rows).toBe(21);
      expect((await readChecksums(shop)).customers).toEqual(
        expectedChecksums(SIZE, new Set()).customers,
      );
      await unwrite.command('task', 'release', id, ...OLGA);
      await unwrite.untilCompleted(ACME, [id]);
      expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set([0])));
      expect((await task())?.evidence?.tables).toMatchObject({
        orders: { rows: 3 },
        customers: { rows: 1 },
      });
    });

    // Nothing of it depends on the database, and each costs seconds.
    it.runIf(kind === SQLITE)(
      'a row of the same person that comes after the preview is erased by the next try',
      async () => {
        await eraseMeanwhile(
          'erase',
          `INSERT INTO customers VALUES (900, '${ACME}', '${emailOf(0)}', 'C-900', 'Name')`,
          { withForeignKey: true },
        );
        await unwrite.untilCompleted(ACME, [id]);
        expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set([0])));
        expect((await task())?.evidence?.tables).toMatchObject({
          orders: { rows: 2 },
          customers: { rows: 2 },
        });
      },
    );
  });
}
