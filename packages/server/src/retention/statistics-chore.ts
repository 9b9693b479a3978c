// Counts what arrived and how long it took, for the graphs of operators: once a minute, and behind everything else.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { StatisticsStore } from '../domain/statistics/statistics-ports.ts';

const EVERY_MS = 60_000;
const MAX_CHUNKS = 20;

export function createStatisticsDue(store: Pick<StatisticsStore, 'anyToCount'>): DueChore {
  let looked = 0;
  return {
    name: 'counting for statistics',
    async isDue(now) {
      if (Math.abs(now - looked) < EVERY_MS) return false;
      looked = now;
      return store.anyToCount(now);
    },
  };
}

export function createStatisticsChore(store: StatisticsStore): Chore {
  const due = createStatisticsDue(store);
  let isMore = false;
  return {
    name: due.name,
    isDue: async (now) => isMore || due.isDue(now),
    async run(now) {
      isMore = true;
      for (let chunk = 0; chunk < MAX_CHUNKS && isMore; chunk++) {
        isMore = await store.countSome(now);
        await nextTurn();
      }
    },
  };
}
