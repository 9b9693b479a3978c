import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
import type { DatabaseKind, ShopDatabase } from '../e2e/set-up/shop-database.ts';
import { moduleTarget, readTarget } from '../e2e/set-up/wrapped-shop.ts';
import type { ServerProcess } from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import type { KillPoint } from './killing-target.ts';

const SIZE: ShopSize = { customers: 60, ordersEach: 3, heavy: 0, ordersOfTheHeavy: 0 };
const MODULE = new URL('./killing-target.ts', import.meta.url);
const TAKEOVER_MS = 60_000;

export function describeWorkerKill(
  kind: DatabaseKind,
  points: readonly KillPoint[],
  roundsOfEach: number,
): void {
  describe(`a worker that is killed with -9, erasing on ${kind.name}`, () => {
    let folder: TemporaryFolder;
    let shop: ShopDatabase;
    let unwrite: TestInstallation<ServerProcess>;

    beforeEach(async () => {
      folder = makeTemporaryFolder();
      shop = await kind.open(folder.path);
      await fillShop(kind, shop, SIZE);
    });
    afterEach(async () => {
      await unwrite.kill('SIGKILL');
      await shop.close();
      folder.remove();
    });

    async function install(point: KillPoint): Promise<void> {
      const target = readTarget(folder.path, shopTarget(shop));
      const module = moduleTarget(MODULE, { target, point, once: join(folder.path, 'killed') });
      unwrite = await makeProcessInstallation(
        folder.path,
        `cancellation_window: 0s\ntargets:\n${module}`,
      );
      await unwrite.start();
    }

    async function untilDead(): Promise<void> {
      const { child } = unwrite.server();
      if (child.exitCode !== null || child.signalCode !== null) return;
      await new Promise((resolve) => child.once('exit', resolve));
    }

    const rounds = points.flatMap((point) =>
      Array.from({ length: roundsOfEach }, (_, round) => ({ point, round: round + 1 })),
    );

    it.each(rounds)(
      '$point: another takes over, and nothing is counted twice ($round)',
      { timeout: 120_000 },
      async ({ point }) => {
        await install(point);
        const people = [0, 1, 2, 7, 8, 9, 1000];
        const ids = await Promise.all(
          people.map((n) => unwrite.submit(CONTROLLERS[0], [['email', emailOf(n * 2)]])),
        );
        await untilDead();
        await unwrite.start();
        const restarted = Date.now();
        await unwrite.untilCompleted(CONTROLLERS[0], ids, TAKEOVER_MS);
        expect(Date.now() - restarted).toBeLessThan(TAKEOVER_MS);

        const gone = new Set(people.filter((n) => n < 30).map((n) => n * 2));
        expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, gone));
        const tasks = await unwrite.command('task', 'list');
        const evidence = tasks.map((task: Task) => task.evidence) as Evidence[];
        const told = evidence.filter(({ action }) => action !== 'not_found');
        expect(told).toHaveLength(people.length - 1);
        expect(evidence).toHaveLength(people.length);
        // A module is not asked how a call ended.
        for (const { tables } of told)
          expect([toldOf(tables.orders), toldOf(tables.customers)]).toEqual([3, 1]);
        const unconfirmed = told.filter(({ tables }) => tables.customers?.unconfirmed === 1);
        // Requests of a later batch were not in the one that died.
        if (point === 'before the erase') expect(unconfirmed).toEqual([]);
        else expect(unconfirmed.length).toBeGreaterThan(0);
      },
    );
  });
}

interface Rows {
  readonly rows: number;
  readonly unconfirmed?: number;
}

const toldOf = ({ rows, unconfirmed = 0 }: Rows = { rows: 0 }) => rows + unconfirmed;

interface Evidence {
  readonly action: string;
  readonly tables: Record<string, Rows>;
}

interface Task {
  readonly evidence: Evidence;
}
