import type { DatabaseSync } from 'node:sqlite';
import type { ConditionStore } from '../../domain/alarm-ports.ts';
import { dayOf } from '../../domain/day.ts';
import { TARGET_REFUSED } from '../../domain/target-refused.ts';
import {
  type CountedDay,
  conditionAlarms,
  DOWN_MS,
  type DownTarget,
  LEAST_COMPLETED,
  type NowhereDay,
  type RefusedTarget,
} from '../condition-alarms.ts';
import { prepareRaiseAlarm } from './raise-alarm.ts';
import { inTransaction } from './transaction.ts';

const NOT_RAISED = `NOT EXISTS (
  SELECT 1 FROM alarms WHERE kind = :kind AND subject = whose || ' ' || day AND percent = 0)`;

export function prepareConditions(database: DatabaseSync): ConditionStore['conditions'] {
  const counted = database.prepare(`
    SELECT day, whose FROM daily_counts
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
    SELECT target, code, opened_time AS openedTime FROM circuits
    WHERE opened_time <= :since AND code <> '${TARGET_REFUSED}' AND NOT EXISTS (SELECT 1 FROM alarms
      WHERE kind = 'target_down' AND subject = circuits.target || ' ' || opened_time AND percent = 0)
  `);
  const refused = database.prepare(`
    SELECT target, detail, opened_time AS openedTime FROM circuits
    WHERE code = '${TARGET_REFUSED}' AND NOT EXISTS (SELECT 1 FROM alarms
      WHERE kind = 'target_refused' AND subject = circuits.target || ' ' || opened_time AND percent = 0)
  `);

  return async (limits, now) => {
    const { mostStartsADay, notFoundPercent: percent } = limits;
    const day = dayOf(now);
    const countedAs = (kind: string, what: string, least: number) =>
      counted.all({ kind, what, day, least }) as unknown as CountedDay[];
    const found = {
      starts: mostStartsADay === null ? [] : countedAs('daily_starts', 'starts', mostStartsADay),
      deferred: countedAs('daily_rows', 'deferred', 1),
      nowhere:
        percent === null
          ? []
          : (nowhere.all({ kind: 'not_found', day, percent }) as unknown as NowhereDay[]),
      down: down.all({ since: now - DOWN_MS }) as unknown as DownTarget[],
      refused: refused.all() as unknown as RefusedTarget[],
    };
    return conditionAlarms(found, limits, now);
  };
}

export function createConditionStore(database: DatabaseSync): ConditionStore {
  const raise = prepareRaiseAlarm(database);
  return {
    conditions: prepareConditions(database),
    raise: async (alarms) => inTransaction(database, () => alarms.filter(raise)),
  };
}
