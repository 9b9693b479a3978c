import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../domain/day.ts';
import { ALL_DAYS, type Counted } from '../daily-count.ts';

export type CountDaily = (what: Counted, whose: string, count: number, time: number) => void;

/** Inside the caller's transaction: what is counted is what was committed. */
export function prepareCountDaily(database: DatabaseSync): CountDaily {
  const add = database.prepare(`
    INSERT INTO daily_counts (day, what, whose, count)
    VALUES (?1, ?2, ?3, ?4), (${ALL_DAYS}, ?2, ?3, ?4)
    ON CONFLICT (day, what, whose) DO UPDATE SET count = count + excluded.count
  `);
  return (what, whose, count, time) => {
    if (count !== 0) add.run(dayOf(time), what, whose, count);
  };
}

export function prepareDailyCount(database: DatabaseSync) {
  const select = database.prepare(
    'SELECT count FROM daily_counts WHERE day = ? AND what = ? AND whose = ?',
  );
  return (what: Counted, whose: string, time: number): number => {
    const row = select.get(dayOf(time), what, whose) as { count: number } | undefined;
    return row?.count ?? 0;
  };
}
