// What is wrong beside deadlines, and was not raised yet: each a day, or a time of being down.
import type { DatabaseSync } from 'node:sqlite';
import { anAlarm, type NewAlarm } from '../../domain/alarm.ts';
import type { ConditionStore } from '../../domain/alarm-ports.ts';
import { dayOf, startOfDay } from '../../domain/day.ts';
import { prepareRaiseAlarm } from './raise-alarm.ts';
import { inTransaction } from './transaction.ts';

const HOUR = 3_600_000;
/** Fewer say nothing about a mapping. */
const LEAST_COMPLETED = 20;

const NOT_RAISED = `NOT EXISTS (
  SELECT 1 FROM alarms WHERE kind = :kind AND subject = whose || ' ' || day AND percent = 0)`;

interface DayRow {
  readonly day: number;
  readonly whose: string;
  readonly count: number;
  readonly completed: number;
}

export function prepareConditions(database: DatabaseSync): ConditionStore['conditions'] {
  const counted = database.prepare(`
    SELECT day, whose, count FROM daily_counts
    WHERE day = :day AND what = :what AND count >= :least AND ${NOT_RAISED}
  `);
  // Yesterday too: its last minutes are looked at today.
  const nowhere = database.prepare(`
    SELECT day, whose, daily_counts.count, done.count AS completed
    FROM daily_counts JOIN daily_counts AS done USING (day, whose)
    WHERE day BETWEEN :day - 1 AND :day AND daily_counts.what = 'nowhere'
      AND done.what = 'completed' AND done.count >= ${LEAST_COMPLETED}
      AND daily_counts.count * 100 > done.count * :percent AND ${NOT_RAISED}
  `);
  const down = database.prepare(`
    SELECT target AS whose, code, opened_time AS day FROM circuits
    WHERE opened_time <= :since AND NOT EXISTS (SELECT 1 FROM alarms
      WHERE kind = 'target_down' AND subject = target || ' ' || opened_time AND percent = 0)
  `);

  return async ({ mostStartsADay, notFoundPercent }, now) => {
    const day = dayOf(now);
    const alarms: NewAlarm[] = [];
    if (mostStartsADay !== null) {
      const reached = { kind: 'daily_starts', what: 'starts', day, least: mostStartsADay };
      for (const { whose } of counted.all(reached) as unknown as DayRow[]) {
        const message = `max_starts_per_day (${mostStartsADay}) is reached: what else is due of this controller waits until tomorrow. Did it mean so many? If not: "unwrite pause", and revoke its secret`;
        const about = { controllerId: whose };
        alarms.push(anAlarm('daily_starts', `${whose} ${day}`, message, now, about));
      }
    }
    const deferred = { kind: 'daily_rows', what: 'deferred', day, least: 1 };
    for (const { whose } of counted.all(deferred) as unknown as DayRow[]) {
      const message = `max_rows_per_day is reached: what else is to be erased here waits until tomorrow. Are so many rows right? If not: "unwrite pause --target ${whose}"`;
      alarms.push(anAlarm('daily_rows', `${whose} ${day}`, message, now, { target: whose }));
    }
    if (notFoundPercent !== null) {
      const rows = nowhere.all({ kind: 'not_found', day, percent: notFoundPercent });
      for (const row of rows as unknown as DayRow[]) {
        const on = new Date(startOfDay(row.day)).toISOString().slice(0, 10);
        const message = `${row.count} of ${row.completed} requests completed on ${on} were found nowhere: check match and tenancy of the targets ("unwrite target check")`;
        const about = { controllerId: row.whose };
        alarms.push(anAlarm('not_found', `${row.whose} ${row.day}`, message, now, about));
      }
    }
    for (const { whose, day: since, code } of down.all({
      since: now - HOUR,
    }) as unknown as (DayRow & {
      code: string;
    })[]) {
      const message = `the target has been down for over an hour (${code}): "unwrite target check ${whose}" says why`;
      alarms.push(anAlarm('target_down', `${whose} ${since}`, message, now, { target: whose }));
    }
    return alarms;
  };
}

export function createConditionStore(database: DatabaseSync): ConditionStore {
  const raise = prepareRaiseAlarm(database);
  return {
    conditions: prepareConditions(database),
    raise: async (alarms) => inTransaction(database, () => alarms.filter(raise)),
  };
}
