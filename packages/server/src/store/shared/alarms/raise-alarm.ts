import type { NewAlarm } from '../../../domain/alarm/alarm.ts';
import { rowsOf, type Sql } from '../../sql.ts';

/** In their order; answers those that were not raised before. */
export async function raiseAlarms(sql: Sql, alarms: readonly NewAlarm[]): Promise<NewAlarm[]> {
  if (alarms.length === 0) return [];
  const rows = await sql.all<Pick<NewAlarm, 'kind' | 'subject' | 'percent'>>(
    `INSERT INTO @alarms
       (kind, subject, percent, request_no, controller_id, target, deadline, message, raised_time)
     SELECT kind, subject, percent, "requestNo", "controllerId", target, deadline, message,
            "raisedTime"
     FROM json_to_recordset(:alarms::json) AS it
       (kind text, subject text, percent integer, "requestNo" bigint, "controllerId" text,
        target text, deadline bigint, message text, "raisedTime" bigint)
     WHERE true ON CONFLICT DO NOTHING RETURNING kind, subject, percent`,
    { alarms: rowsOf(alarms) },
  );
  const raised = new Set(rows.map(keyOf));
  // Once each, also where it was given twice.
  return alarms.filter((alarm) => raised.delete(keyOf(alarm)));
}

function keyOf({ kind, subject, percent }: Pick<NewAlarm, 'kind' | 'subject' | 'percent'>): string {
  return `${kind} ${percent} ${subject}`;
}
