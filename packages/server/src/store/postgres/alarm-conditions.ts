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
import type { Database, Sql } from './database.ts';
import { raiseAlarms } from './raise-alarm.ts';

const NOT_RAISED = `NOT EXISTS (SELECT 1 FROM @alarms
  WHERE kind = $2 AND subject = counted.whose || ' ' || counted.day AND percent = 0)`;

/** In one order, so that two nodes that raise the same never wait for each other. */
const IN_ORDER = 'ORDER BY counted.day, counted.whose';

function countedAs(
  sql: Sql,
  day: number,
  kind: string,
  what: string,
  least: number,
): Promise<CountedDay[]> {
  return sql.all(
    `SELECT day, whose FROM @daily_counts AS counted
     WHERE day = $1 AND what = $3 AND count >= $4 AND ${NOT_RAISED} ${IN_ORDER}`,
    [day, kind, what, least],
  );
}

/** Yesterday too: its last minutes are looked at today. */
function foundNowhere(sql: Sql, day: number, percent: number): Promise<NowhereDay[]> {
  return sql.all(
    `SELECT day, whose, counted.count, done.count AS completed
     FROM @daily_counts AS counted JOIN @daily_counts AS done USING (day, whose)
     WHERE day BETWEEN $1::bigint - 1 AND $1 AND counted.what = 'nowhere'
       AND done.what = 'completed' AND done.count >= ${LEAST_COMPLETED}
       AND counted.count * 100 > done.count * $3::float8 AND ${NOT_RAISED} ${IN_ORDER}`,
    [day, 'not_found', percent],
  );
}

function downSince(sql: Sql, since: number): Promise<DownTarget[]> {
  return sql.all(
    `SELECT target, code, opened_time AS "openedTime" FROM @circuits AS c
     WHERE opened_time <= $1 AND code <> '${TARGET_REFUSED}' AND NOT EXISTS (SELECT 1 FROM @alarms AS raised
       WHERE kind = 'target_down' AND subject = c.target || ' ' || opened_time AND percent = 0)
     ORDER BY target`,
    [since],
  );
}

function refusedTargets(sql: Sql): Promise<RefusedTarget[]> {
  return sql.all(
    `SELECT target, detail, opened_time AS "openedTime" FROM @circuits AS c
     WHERE code = '${TARGET_REFUSED}' AND NOT EXISTS (SELECT 1 FROM @alarms AS raised
       WHERE kind = 'target_refused' AND subject = c.target || ' ' || opened_time AND percent = 0)
     ORDER BY target`,
  );
}

export function createConditionStore(database: Database): ConditionStore {
  return {
    async conditions(limits, now) {
      const { mostStartsADay, notFoundPercent } = limits;
      const day = dayOf(now);
      const found = {
        starts:
          mostStartsADay === null
            ? []
            : await countedAs(database, day, 'daily_starts', 'starts', mostStartsADay),
        deferred: await countedAs(database, day, 'daily_rows', 'deferred', 1),
        nowhere: notFoundPercent === null ? [] : await foundNowhere(database, day, notFoundPercent),
        down: await downSince(database, now - DOWN_MS),
        refused: await refusedTargets(database),
      };
      return conditionAlarms(found, limits, now);
    },
    raise: (alarms) => database.transaction((sql) => raiseAlarms(sql, alarms)),
  };
}
