// Synchronous, only for the writer thread; other code uses shared/tasks/daily-counts.ts.
import type { DatabaseSync } from 'node:sqlite';
import { ALL_DAYS, type Counted } from '../../domain/limit/daily-count.ts';
import { dayOf } from '../../domain/limit/day.ts';
import { ADD_TO_COUNT } from '../shared/tasks/daily-counts.ts';
import { prepareWrite } from './prepare-write.ts';

export type CountDaily = (what: Counted, whose: string, count: number, time: number) => void;

/** Runs in the caller's transaction, so that only committed work is counted. */
export function prepareCountDaily(database: DatabaseSync): CountDaily {
  const add = prepareWrite(
    database,
    `
    INSERT INTO daily_counts AS kept (day, what, whose, count)
    VALUES (?1, ?2, ?3, ?4), (${ALL_DAYS}, ?2, ?3, ?4)
    ${ADD_TO_COUNT}
  `,
  );
  return (what, whose, count, time) => {
    add.run(dayOf(time), what, whose, count);
  };
}
