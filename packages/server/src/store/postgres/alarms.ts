import { type Alarm, GIVEN_UP } from '../../domain/alarm.ts';
import type { AlarmCatalogue, DeliveryStore } from '../../domain/alarm-ports.ts';
import { LONGEST_WAIT, MOST_TOGETHER, raisedTogether } from '../alarms.ts';
import type { Database } from './database.ts';

const ALARM = `
  SELECT alarm_no AS "alarmNo", kind, subject, percent, request_no AS "requestNo",
         controller_id AS "controllerId", target, deadline, message, raised_time AS "raisedTime",
         delivered_time AS "deliveredTime", coalesce(
           (SELECT subject_request_id FROM @requests AS r WHERE r.request_no = a.request_no),
           (SELECT subject_request_id FROM @archived_requests AS r
            WHERE r.request_no = a.request_no)) AS "subjectRequestId"
  FROM @alarms AS a`;

export function createAlarmCatalogue(database: Database): AlarmCatalogue {
  return {
    alarms: ({ kind, raisedAfter, limit }) =>
      database.all<Alarm>(
        `${ALARM}
         WHERE ($1::text IS NULL OR kind = $1) AND ($2::bigint IS NULL OR raised_time > $2)
         ORDER BY alarm_no DESC LIMIT $3`,
        [kind ?? null, raisedAfter ?? null, limit],
      ),
  };
}

export function createDeliveryStore(database: Database): DeliveryStore {
  return {
    async hasToDeliver(now) {
      const row = await database.get<{ due: boolean }>(
        `SELECT next_delivery NOT BETWEEN $1::bigint + 1 AND $1::bigint + ${LONGEST_WAIT}
            AND EXISTS (SELECT 1 FROM @alarms WHERE delivered_time IS NULL) AS due
         FROM @alarm_progress`,
        [now],
      );
      return row?.due === true;
    },
    async giveUp(raisedBefore) {
      await database.run(
        `UPDATE @alarms SET delivered_time = ${GIVEN_UP}
         WHERE delivered_time IS NULL AND raised_time < $1`,
        [raisedBefore],
      );
    },
    nextToDeliver: async () =>
      raisedTogether(
        await database.all<Alarm>(
          `${ALARM} WHERE delivered_time IS NULL ORDER BY alarm_no LIMIT ${MOST_TOGETHER}`,
        ),
      ),
    delivered: (alarmNos, now) =>
      database.transaction(async (sql) => {
        await sql.run('UPDATE @alarms SET delivered_time = $2 WHERE alarm_no = ANY($1::bigint[])', [
          alarmNos,
          now,
        ]);
        await sql.run(
          `UPDATE @alarm_progress SET failed_deliveries = 0, next_delivery = 0
           WHERE failed_deliveries > 0`,
        );
      }),
    deliveryFailed: (retryTime) =>
      database.transaction(async (sql) => {
        const row = await sql.get<{ failures: number }>(
          `UPDATE @alarm_progress SET failed_deliveries = failed_deliveries + 1
           RETURNING failed_deliveries AS failures`,
        );
        const failures = row?.failures ?? 1;
        await sql.run('UPDATE @alarm_progress SET next_delivery = $1', [retryTime(failures)]);
        return failures;
      }),
  };
}
