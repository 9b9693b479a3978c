import type { NewAlarm } from '../../../domain/alarm/alarm.ts';
import {
  type AlarmSoFar,
  groupStages,
  type ReachedStage,
  subjectOf,
} from '../../../domain/alarm/deadline-alarms.ts';
import { rowsOf, type Sql } from '../../sql.ts';

const BEFORE = `
  SELECT kind, subject, percent, count, deadline, message, request_no AS "requestNo",
         raised_time AS "raisedTime", told_time AS "toldTime"
  FROM @alarms WHERE kind = ANY(:kinds::text[]) AND subject = ANY(:subjects::text[])`;

/** An alarm that has already been sent is sent again with its new content. */
const RAISE = `
  INSERT INTO @alarms AS kept
    (kind, subject, percent, request_no, controller_id, deadline, message, raised_time, count, told_time)
  SELECT kind, subject, percent, "requestNo", "controllerId", deadline, message, "raisedTime", count,
         "toldTime"
  FROM json_to_recordset(:alarms::json) AS it
    (kind text, subject text, percent integer, "requestNo" bigint, "controllerId" text, deadline bigint,
     message text, "raisedTime" bigint, count bigint, "toldTime" bigint)
  WHERE true
  ON CONFLICT (kind, subject, percent) DO UPDATE
  SET request_no = excluded.request_no, deadline = excluded.deadline, message = excluded.message,
      count = excluded.count, told_time = excluded.told_time, delivered_time = NULL, mailed_time = NULL`;

/** Runs in the caller's transaction, one at a time. Returns the alarms to raise now. */
export async function raiseDeadlines(
  sql: Sql,
  reached: readonly ReachedStage[],
  now: number,
): Promise<NewAlarm[]> {
  if (reached.length === 0) return [];
  const kinds = [...new Set(reached.map(({ kind }) => kind))];
  const subjects = [...new Set(reached.map((stage) => subjectOf(stage, now)))];
  const before = await sql.all<AlarmSoFar>(BEFORE, { kinds, subjects });
  const grouped = groupStages(reached, before, now);
  await sql.run(RAISE, { alarms: rowsOf(grouped) });
  return grouped.filter(({ isToTell }) => isToTell);
}
