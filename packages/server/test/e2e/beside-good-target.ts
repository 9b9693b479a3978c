// A faulty target beside one that works: what must hold whatever the fault is.
import { expect } from 'vitest';
import { until } from '../helpers/until.ts';
import { expectedChecksums, readChecksums, shopTarget } from './set-up/shop.ts';
import { ACME, SMALL, useShopInstallation } from './set-up/use-shop-installation.ts';

export const PEOPLE = [0, 2, 4];
export const PATIENCE = 60_000;

export interface AttentionLine {
  readonly subject_request_id: string;
  readonly target: string;
  readonly reason: string;
  readonly state: string;
}

export function useGoodTarget() {
  const world = useShopInstallation();

  const attention = (): Promise<AttentionLine[]> =>
    world.unwrite.command('request', 'list', '--attention');

  return {
    unwrite: () => world.unwrite,
    attention,
    closeAfter: world.closeAfter,

    install: (bad: string) =>
      world.install(bad + shopTarget(world.shop).replace('  shop:', '  fine:')),

    submitAll: () => Promise.all(PEOPLE.map(world.submit)),

    async untilGoodIsDone(): Promise<void> {
      await until(
        async () => (await world.countErased('--target', 'fine')) === PEOPLE.length,
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
      const statuses = await Promise.all(ids.map((id) => world.unwrite.status(ACME, id)));
      expect(new Set(statuses)).toEqual(new Set(['in_progress']));
    },

    async expectAllCompleted(ids: readonly string[]): Promise<void> {
      await world.unwrite.untilCompleted(ACME, ids, PATIENCE);
      expect(await attention()).toEqual([]);
      expect(await readChecksums(world.shop)).toEqual(expectedChecksums(SMALL, new Set(PEOPLE)));
    },
  };
}
