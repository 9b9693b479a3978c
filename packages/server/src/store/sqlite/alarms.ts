import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Alarm, GIVEN_UP } from '../../domain/alarm.ts';
import type { AlarmCatalogue, DeliveryStore } from '../../domain/alarm-ports.ts';
import { LONGEST_WAIT, MOST_TOGETHER, raisedTogether } from '../alarms.ts';
import { inTransaction } from './transaction.ts';

const COLUMNS = `alarm_no AS alarmNo, kind, subject, percent, alarms.request_no AS requestNo,
  alarms.controller_id AS controllerId, subject_request_id AS subjectRequestId, target, deadline,
  message, raised_time AS raisedTime, delivered_time AS deliveredTime`;
const FROM = 'alarms LEFT JOIN requests USING (request_no)';

export function createAlarmCatalogue(database: DatabaseSync): AlarmCatalogue {
  return {
    async alarms({ kind, raisedAfter, limit }) {
      const values: SQLInputValue[] = [kind ?? null, raisedAfter ?? null, limit];
      return database
        .prepare(
          `SELECT ${COLUMNS} FROM ${FROM}
           WHERE (?1 IS NULL OR kind = ?1) AND (?2 IS NULL OR raised_time > ?2)
           ORDER BY alarm_no DESC LIMIT ?3`,
        )
        .all(...values) as unknown as Alarm[];
    },
  };
}

export function prepareHasToDeliver(database: DatabaseSync): DeliveryStore['hasToDeliver'] {
  const select = database.prepare(`
    SELECT next_delivery NOT BETWEEN ?1 + 1 AND ?1 + ${LONGEST_WAIT} AND EXISTS (SELECT 1 FROM alarms WHERE delivered_time IS NULL) AS due
    FROM alarm_progress
  `);
  return async (now) => select.get(now)?.due === 1;
}

export function createDeliveryStore(database: DatabaseSync): DeliveryStore {
  const giveUp = database.prepare(
    `UPDATE alarms SET delivered_time = ${GIVEN_UP} WHERE delivered_time IS NULL AND raised_time < ?`,
  );
  const next = database.prepare(`
    SELECT ${COLUMNS} FROM ${FROM}
    WHERE delivered_time IS NULL ORDER BY alarm_no LIMIT ${MOST_TOGETHER}
  `);
  const mark = database.prepare('UPDATE alarms SET delivered_time = ? WHERE alarm_no = ?');
  const reset = database.prepare(
    'UPDATE alarm_progress SET failed_deliveries = 0, next_delivery = 0 WHERE failed_deliveries > 0',
  );
  const fail = database.prepare(`
    UPDATE alarm_progress SET failed_deliveries = failed_deliveries + 1
    RETURNING failed_deliveries AS failures
  `);
  const postpone = database.prepare('UPDATE alarm_progress SET next_delivery = ?');

  return {
    hasToDeliver: prepareHasToDeliver(database),
    async giveUp(raisedBefore) {
      giveUp.run(raisedBefore);
    },
    nextToDeliver: async () => raisedTogether(next.all() as unknown as Alarm[]),
    delivered: async (alarmNos, now) =>
      inTransaction(database, () => {
        for (const alarmNo of alarmNos) mark.run(now, alarmNo);
        reset.run();
      }),
    deliveryFailed: async (retryTime) =>
      inTransaction(database, () => {
        const { failures } = fail.get() as { failures: number };
        postpone.run(retryTime(failures));
        return failures;
      }),
  };
}
