// Conditions for alarms other than deadlines that were not raised yet. The thresholds are in
// domain/alarm/condition-alarms.ts.

import type { ConditionStore } from '../../../domain/alarm/alarm-ports.ts';
import {
  type CountedDay,
  conditionAlarms,
  DOWN_MS,
  type DownTarget,
  type NowhereDay,
  type RefusedTarget,
} from '../../../domain/alarm/condition-alarms.ts';
import { TOLD_AGAIN_MS } from '../../../domain/alarm/deadline-alarms.ts';
import { dayOf } from '../../../domain/limit/day.ts';
import { TARGET_REFUSED } from '../../../domain/target/target-refused.ts';
import type { Database, Values } from '../../sql.ts';
import { readDailyAlarms } from './daily-alarms.ts';
import { raiseAlarms } from './raise-alarm.ts';

const NOT_RAISED = `NOT EXISTS (SELECT 1 FROM @alarms
  WHERE kind = :kind AND subject = counted.whose || ' ' || counted.day AND percent = 0)`;

/** In a fixed order, so that two nodes that raise the same alarms never deadlock. */
const IN_ORDER = 'ORDER BY counted.day, counted.whose';

const COUNTED = `
  SELECT day, whose, count FROM @daily_counts AS counted
  WHERE day = :day AND what = :what AND count > 0 AND ${NOT_RAISED} ${IN_ORDER}`;

/** Yesterday as well, because its last minutes are checked today. */
const NOWHERE = `
  SELECT day, whose, counted.count, done.count AS completed
  FROM @daily_counts AS counted JOIN @daily_counts AS done USING (day, whose)
  WHERE day BETWEEN :day::bigint - 1 AND :day AND counted.what = 'nowhere'
    AND done.what = 'completed' AND ${NOT_RAISED} ${IN_ORDER}`;

const CIRCUIT_NOT_RAISED = `NOT EXISTS (SELECT 1 FROM @alarms AS raised
  WHERE kind = :kind AND subject = c.target || ' ' || opened_time AND percent = 0)
  ORDER BY target`;

const DOWN = `
  SELECT target, code, opened_time AS "openedTime" FROM @circuits AS c
  WHERE opened_time <= :since AND code <> '${TARGET_REFUSED}' AND ${CIRCUIT_NOT_RAISED}`;

/** Not again within the hour, if a check alternates between failing and passing. */
const REFUSED = `
  SELECT target, detail, opened_time AS "openedTime" FROM @circuits AS c
  WHERE code = '${TARGET_REFUSED}' AND NOT EXISTS (SELECT 1 FROM @alarms AS lately
    WHERE kind = :kind AND lately.target = c.target AND raised_time > :since)
    AND ${CIRCUIT_NOT_RAISED}`;

export function createConditionStore(database: Database): ConditionStore {
  const counted = (values: Values) => database.all<CountedDay>(COUNTED, values);
  return {
    async conditions(limits, now) {
      // A count without a limit is not read.
      const { maxStartsPerDay, notFoundPercent } = limits;
      const day = dayOf(now);
      const found = {
        starts:
          maxStartsPerDay === null
            ? []
            : await counted({ kind: 'daily_starts', what: 'starts', day }),
        deferred: await counted({ kind: 'daily_rows', what: 'deferred', day }),
        nowhere:
          notFoundPercent === null
            ? []
            : await database.all<NowhereDay>(NOWHERE, { kind: 'not_found', day }),
        down: await database.all<DownTarget>(DOWN, { kind: 'target_down', since: now - DOWN_MS }),
        refused: await database.all<RefusedTarget>(REFUSED, {
          kind: 'target_refused',
          since: now - TOLD_AGAIN_MS,
        }),
      };
      return [
        ...conditionAlarms(found, limits, now),
        ...(await readDailyAlarms(database, limits.summaryAt, now)),
      ];
    },
    raise: (alarms) => database.transaction((sql) => raiseAlarms(sql, alarms)),
  };
}
