import { type Alarm, GIVEN_UP } from '../../../domain/alarm/alarm.ts';
import type { AlarmCatalogue, DeliveryStore } from '../../../domain/alarm/alarm-ports.ts';
import { isDeliveryDue, MOST_TOGETHER, raisedTogether } from '../../../domain/alarm/delivery.ts';
import { conditionsOf, type Database } from '../../sql.ts';

const ALARM = `
  SELECT alarm_no AS "alarmNo", kind, subject, percent, request_no AS "requestNo",
         controller_id AS "controllerId", target, deadline, message, raised_time AS "raisedTime",
         delivered_time AS "deliveredTime", (SELECT subject_request_id FROM @all_requests AS r
           WHERE r.request_no = a.request_no) AS "subjectRequestId"
  FROM @alarms AS a`;

const CONDITIONS = { kind: 'kind = :kind', raisedAfter: 'raised_time > :raisedAfter' };

export function createAlarmCatalogue(database: Database): AlarmCatalogue {
  return {
    alarms: (filter) =>
      database.all<Alarm>(
        `${ALARM} WHERE ${conditionsOf(filter, CONDITIONS)} ORDER BY alarm_no DESC LIMIT :limit`,
        { ...filter },
      ),
  };
}

export function createDeliveryStore(database: Database): DeliveryStore {
  return {
    async hasToDeliver(now) {
      const row = await database.get<{ nextDelivery: number; isWaiting: boolean | 0 | 1 }>(
        `SELECT next_delivery AS "nextDelivery",
                EXISTS (SELECT 1 FROM @alarms WHERE delivered_time IS NULL) AS "isWaiting"
         FROM @alarm_progress`,
      );
      return row !== undefined && Boolean(row.isWaiting) && isDeliveryDue(row.nextDelivery, now);
    },
    async giveUp(raisedBefore) {
      await database.run(
        `UPDATE @alarms SET delivered_time = ${GIVEN_UP}
         WHERE delivered_time IS NULL AND raised_time < :raisedBefore`,
        { raisedBefore },
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
        await sql.run(
          'UPDATE @alarms SET delivered_time = :now WHERE alarm_no = ANY(:alarmNos::bigint[])',
          { alarmNos, now },
        );
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
        await sql.run('UPDATE @alarm_progress SET next_delivery = :time', {
          time: retryTime(failures),
        });
        return failures;
      }),
  };
}
