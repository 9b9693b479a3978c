// Somebody else writes to the same rows while they are erased: between the preview and the erasure, or
// between that and the second look.
import { describe, expect, it } from 'vitest';
import { until } from '../helpers/until.ts';
import {
  emailOf,
  expectedChecksums,
  readChecksums,
  type ShopSize,
  shopTarget,
} from './set-up/shop.ts';
import { type DatabaseKind, SQLITE } from './set-up/shop-database.ts';
import { ACME, useShopInstallation } from './set-up/use-shop-installation.ts';
import { startAskedShop } from './set-up/wrapped-shop.ts';

const SIZE: ShopSize = { customers: 10, ordersEach: 2, heavy: 0, ordersOfTheHeavy: 0 };
const OLGA = ['--as', 'olga'];

interface Task {
  readonly state: string;
  readonly reason: string | null;
  readonly previewed_rows: number | null;
  readonly evidence: { readonly tables: Record<string, { rows: number }> } | null;
}

export function describeMeanwhile(kind: DatabaseKind): void {
  describe(`meanwhile, on ${kind.name}`, { timeout: 60_000 }, () => {
    const world = useShopInstallation(SIZE, kind);
    let id: string;

    /** Before this step of customer 0's erasure, once. */
    async function eraseMeanwhile(
      step: 'erase' | 'verify',
      sql: string,
      { withForeignKey }: { withForeignKey: boolean },
      setting?: string,
    ): Promise<void> {
      if (!withForeignKey) await loosen();
      let isDone = false;
      const asked = await startAskedShop(
        world.folder(),
        shopTarget(world.shop),
        async (begun) => {
          if (begun !== step || isDone) return;
          isDone = true;
          await world.shop.query(sql);
        },
        setting,
      );
      world.closeAfter(asked.close);
      await world.install(asked.target);
      id = await world.submit(0);
    }

    /** Nothing but the configuration says then that orders hang on customers. */
    async function loosen(): Promise<void> {
      await world.shop.query(
        'CREATE TABLE loose (id INTEGER PRIMARY KEY, customer_id INTEGER, note VARCHAR(40))',
      );
      await world.shop.query('INSERT INTO loose SELECT * FROM orders');
      await world.shop.query('DROP TABLE orders');
      await world.shop.query('ALTER TABLE loose RENAME TO orders');
    }

    const task = async (): Promise<Task | undefined> =>
      (await world.unwrite.command('task', 'list', '--request', id))[0];

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
      expect(await world.unwrite.status(ACME, id)).toBe('in_progress');
      expect(await world.unwrite.command('request', 'list', '--attention')).toMatchObject([
        { subject_request_id: id },
      ]);
    }

    it('children that come when their parent has gone keep the request open, until they are gone', async () => {
      await eraseMeanwhile('verify', "INSERT INTO orders VALUES (900, 0, 'late')", {
        withForeignKey: false,
      });
      await untilTask((it) => it.state === 'failed' || it.state === 'held');
      expect(await world.unwrite.status(ACME, id)).toBe('in_progress');
      expect((await world.shop.query('SELECT id FROM orders WHERE customer_id = 0')).length).toBe(
        1,
      );
      await world.shop.query('DELETE FROM orders WHERE id = 900');
      // A database that is asked for children first holds the second try.
      if ((await task())?.state === 'held')
        await world.unwrite.command('task', 'release', id, ...OLGA);
      await world.unwrite.untilCompleted(ACME, [id]);
      expect(await readChecksums(world.shop)).toEqual(expectedChecksums(SIZE, new Set([0])));
    });

    it('rows that came since the preview are previewed again, and erased', async () => {
      await eraseMeanwhile('erase', "INSERT INTO orders VALUES (900, 0, 'late')", {
        withForeignKey: true,
      });
      await world.unwrite.untilCompleted(ACME, [id]);
      expect(await readChecksums(world.shop)).toEqual(expectedChecksums(SIZE, new Set([0])));
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
      await world.unwrite.command('task', 'release', id, ...OLGA);
      await untilReason('more_than_previewed');
      expect((await task())?.previewed_rows).toBe(4);
      expect((await readChecksums(world.shop)).orders.rows).toBe(21);
      expect((await readChecksums(world.shop)).customers).toEqual(
        expectedChecksums(SIZE, new Set()).customers,
      );
      await world.unwrite.command('task', 'release', id, ...OLGA);
      await world.unwrite.untilCompleted(ACME, [id]);
      expect(await readChecksums(world.shop)).toEqual(expectedChecksums(SIZE, new Set([0])));
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
        await world.unwrite.untilCompleted(ACME, [id]);
        expect(await readChecksums(world.shop)).toEqual(expectedChecksums(SIZE, new Set([0])));
        expect((await task())?.evidence?.tables).toMatchObject({
          orders: { rows: 2 },
          customers: { rows: 2 },
        });
      },
    );
  });
}
