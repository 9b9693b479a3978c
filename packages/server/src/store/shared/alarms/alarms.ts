import { type Alarm, GIVEN_UP, KINDS_BY_SEVERITY } from '../../../domain/alarm/alarm.ts';
import type { AlarmCatalogue, DeliveryStore } from '../../../domain/alarm/alarm-ports.ts';
import { isDeliveryDue, sentLately } from '../../../domain/alarm/delivery.ts';
import { conditionsOf, type Database, rowsOf } from '../../sql.ts';

export const ALARM = `
  SELECT alarm_no AS "alarmNo", kind, subject, percent, request_no AS "requestNo",
         controller_id AS "controllerId", target, deadline, count, message, raised_time AS "raisedTime",
         delivered_time AS "deliveredTime", (SELECT subject_request_id FROM @all_requests AS r
           WHERE r.request_no = a.request_no) AS "subjectRequestId"
  FROM @alarms AS a`;

/** An alarm that was sent within the last hour waits, even if there is more to report. */
const TO_DELIVER = `delivered_time IS NULL AND NOT EXISTS (SELECT 1 FROM @alarms AS sent
  WHERE sent.kind = a.kind AND sent.subject = a.subject AND sent.sent_time > :from
    AND sent.sent_time <= :until)`;

const SEVERITY = `CASE kind ${KINDS_BY_SEVERITY.map((kind, at) => `WHEN '${kind}' THEN ${at}`).join(' ')} ELSE -1 END`;

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
                EXISTS (SELECT 1 FROM @alarms AS a WHERE ${TO_DELIVER}) AS "isWaiting"
         FROM @alarm_progress`,
        { ...sentLately(now) },
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
    async nextToDeliver(now) {
      const first = await database.get<Pick<Alarm, 'kind' | 'subject'>>(
        `SELECT kind, subject FROM @alarms AS a WHERE ${TO_DELIVER}
         ORDER BY ${SEVERITY}, percent DESC, alarm_no LIMIT 1`,
        { ...sentLately(now) },
      );
      if (first === undefined) return [];
      const { kind, subject } = first;
      return database.all<Alarm>(
        `${ALARM} WHERE delivered_time IS NULL AND kind = :kind AND subject = :subject
         ORDER BY percent`,
        { kind, subject },
      );
    },
    delivered: (alarms, now) =>
      database.transaction(async (sql) => {
        await sql.run(
          `UPDATE @alarms SET sent_time = :now,
                  delivered_time = CASE WHEN alarms.count = sent.count THEN :now::bigint END
           FROM json_to_recordset(:sent::json) AS sent ("alarmNo" bigint, count bigint)
           WHERE alarms.alarm_no = sent."alarmNo"`,
          { sent: rowsOf(alarms.map(({ alarmNo, count }) => ({ alarmNo, count }))), now },
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
