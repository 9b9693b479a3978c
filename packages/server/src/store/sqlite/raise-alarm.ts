import type { DatabaseSync } from 'node:sqlite';
import type { NewAlarm } from '../../domain/alarm.ts';

/** Inside the caller's transaction. False: it was raised before. */
export function prepareRaiseAlarm(database: DatabaseSync) {
  const insert = database.prepare(`
    INSERT INTO alarms
      (kind, subject, percent, request_no, controller_id, target, deadline, message, raised_time)
    VALUES (:kind, :subject, :percent, :requestNo, :controllerId, :target, :deadline, :message,
      :raisedTime)
    ON CONFLICT DO NOTHING
  `);
  return (alarm: NewAlarm): boolean => insert.run({ ...alarm }).changes === 1;
}
