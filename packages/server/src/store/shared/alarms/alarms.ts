import { type Alarm, GIVEN_UP, KINDS_BY_SEVERITY } from '../../../domain/alarm/alarm.ts';
import type { AlarmCatalogue, DeliveryStore } from '../../../domain/alarm/alarm-ports.ts';
import { sentLately } from '../../../domain/alarm/delivery.ts';
import { conditionsOf, type Database, rowsOf } from '../../sql.ts';
import { isTime } from '../turn.ts';

export const ALARM = `
  SELECT alarm_no AS "alarmNo", kind, subject, percent, request_no AS "requestNo",
         controller_id AS "controllerId", target, deadline, count, message, raised_time AS "raisedTime",
         CASE WHEN delivered_time > 0 THEN delivered_time
           ELSE coalesce(mailed_time, delivered_time) END AS "deliveredTime", (SELECT subject_request_id FROM @all_requests AS r
           WHERE r.request_no = a.request_no) AS "subjectRequestId"
  FROM @alarms AS a`;

/** The columns about one way in which alarms are sent: each has its own progress. */
interface Way {
  readonly delivered: 'delivered_time' | 'mailed_time';
  readonly sent: 'sent_time' | 'mail_sent_time';
  readonly failures: 'failed_deliveries' | 'failed_mails';
  readonly next: 'next_delivery' | 'next_mail';
}

export const BY_WEBHOOK: Way = {
  delivered: 'delivered_time',
  sent: 'sent_time',
  failures: 'failed_deliveries',
  next: 'next_delivery',
};

export const BY_MAIL: Way = {
  delivered: 'mailed_time',
  sent: 'mail_sent_time',
  failures: 'failed_mails',
  next: 'next_mail',
};

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

export function createDeliveryStore(
  database: Database,
  { delivered, sent, failures, next }: Way,
): DeliveryStore {
  /** An alarm that was sent within the last hour waits, even if there is more to report. */
  const toDeliver = `${delivered} IS NULL AND NOT EXISTS (SELECT 1 FROM @alarms AS lately
    WHERE lately.kind = a.kind AND lately.subject = a.subject AND lately.${sent} > :from
      AND lately.${sent} <= :until)`;
  return {
    async hasToDeliver(now) {
      const row = await database.get(
        `SELECT 1 FROM @alarm_progress
         WHERE ${isTime(next)} AND EXISTS (SELECT 1 FROM @alarms AS a WHERE ${toDeliver})`,
        { now, ...sentLately(now) },
      );
      return row !== undefined;
    },
    async giveUp(raisedBefore) {
      await database.run(
        `UPDATE @alarms SET ${delivered} = ${GIVEN_UP}
         WHERE ${delivered} IS NULL AND raised_time < :raisedBefore`,
        { raisedBefore },
      );
    },
    take: (now, until) =>
      database.transaction(async (sql) => {
        const taken = await sql.get(
          `UPDATE @alarm_progress SET ${next} = :until WHERE ${isTime(next)} RETURNING 1 AS taken`,
          { now, until },
        );
        if (taken === undefined) return [];
        // Read after that: what the node before has sent is not sent again.
        const first = await sql.get<Pick<Alarm, 'kind' | 'subject'>>(
          `SELECT kind, subject FROM @alarms AS a WHERE ${toDeliver}
           ORDER BY ${SEVERITY}, percent DESC, alarm_no LIMIT 1`,
          { ...sentLately(now) },
        );
        if (first === undefined) {
          await sql.run(`UPDATE @alarm_progress SET ${next} = 0`);
          return [];
        }
        const { kind, subject } = first;
        return sql.all<Alarm>(
          `${ALARM} WHERE ${delivered} IS NULL AND kind = :kind AND subject = :subject
           ORDER BY percent`,
          { kind, subject },
        );
      }),
    delivered: (alarms, now) =>
      database.transaction(async (sql) => {
        await sql.run(
          `UPDATE @alarms SET ${sent} = :now,
                  ${delivered} = CASE WHEN alarms.count = sent.count THEN :now::bigint END
           FROM json_to_recordset(:sent::json) AS sent ("alarmNo" bigint, count bigint)
           WHERE alarms.alarm_no = sent."alarmNo"`,
          { sent: rowsOf(alarms.map(({ alarmNo, count }) => ({ alarmNo, count }))), now },
        );
        await sql.run(`UPDATE @alarm_progress SET ${failures} = 0, ${next} = 0`);
      }),
    deliveryFailed: (retryTime) =>
      database.transaction(async (sql) => {
        const row = await sql.get<{ failures: number }>(
          `UPDATE @alarm_progress SET ${failures} = ${failures} + 1 RETURNING ${failures} AS failures`,
        );
        const inARow = row?.failures ?? 1;
        await sql.run(`UPDATE @alarm_progress SET ${next} = :time`, {
          time: retryTime(inARow),
        });
        return inARow;
      }),
  };
}
