// A faulty target beside one that works: what must hold whatever the fault is.
import { afterEach, beforeEach, expect } from 'vitest';
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
import { type ShopDatabase, SQLITE } from './set-up/shop-database.ts';

export const SIZE: ShopSize = { customers: 20, ordersEach: 2, heavy: 0, ordersOfTheHeavy: 0 };
export const ACME = CONTROLLERS[0];
export const PEOPLE = [0, 2, 4];
export const PATIENCE = 60_000;

export interface AttentionLine {
  readonly subject_request_id: string;
  readonly target: string;
  readonly reason: string;
  readonly state: string;
}

export function useGoodTarget() {
  let folder: TemporaryFolder;
  let good: ShopDatabase;
  let unwrite: TestInstallation;
  const closings: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    folder = makeTemporaryFolder();
    good = await SQLITE.open(folder.path);
    await fillShop(SQLITE, good, SIZE);
  });
  afterEach(async () => {
    await unwrite.kill('SIGTERM');
    for (const close of closings.splice(0)) await close();
    await good.close();
    folder.remove();
  }, PATIENCE);

  const attention = (): Promise<AttentionLine[]> =>
    unwrite.command('request', 'list', '--attention');

  return {
    unwrite: () => unwrite,
    attention,
    /** The last one given is closed first. */
    closeAfter: (close: () => Promise<void>) => closings.unshift(close),

    async install(bad: string): Promise<void> {
      const fine = shopTarget(good).replace('  shop:', '  fine:');
      const config = `cancellation_window: 0s\ntargets:\n${bad}${fine}`;
      unwrite = await makeInstallation(folder.path, config);
      await unwrite.start();
    },

    submitAll: () => Promise.all(PEOPLE.map((n) => unwrite.submit(ACME, [['email', emailOf(n)]]))),

    async untilGoodIsDone(): Promise<void> {
      const erased = async () =>
        (await unwrite.command('task', 'list', '--target', 'fine', '--state', 'erased')).length;
      await until(
        async () => (await erased()) === PEOPLE.length,
        () => 'the good target waits for the bad one',
        // The bad one is not mended before: this is for a busy machine alone.
        30_000,
      );
    },

    async untilSeen(ids: readonly string[], target: string, reason: RegExp): Promise<void> {
      let lines: AttentionLine[] = [];
      const isSeen = async () => {
        lines = await attention();
        return ids.every((id) =>
          lines.some(
            (it) => it.subject_request_id === id && it.target === target && reason.test(it.reason),
          ),
        );
      };
      await until(isSeen, () => `not seen by operators: ${JSON.stringify(lines)}`);
    },

    async expectInProgress(ids: readonly string[]): Promise<void> {
      const statuses = await Promise.all(ids.map((id) => unwrite.status(ACME, id)));
      expect(new Set(statuses)).toEqual(new Set(['in_progress']));
    },

    async expectAllCompleted(ids: readonly string[]): Promise<void> {
      await unwrite.untilCompleted(ACME, ids, PATIENCE);
      expect(await attention()).toEqual([]);
      expect(await readChecksums(good)).toEqual(expectedChecksums(SIZE, new Set(PEOPLE)));
    },
  };
}
