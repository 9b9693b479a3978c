import type { NewAlarm } from '../../domain/alarm.ts';
import type { Sql } from './database.ts';

/** In their order; answers those that were not raised before. */
export async function raiseAlarms(sql: Sql, alarms: readonly NewAlarm[]): Promise<NewAlarm[]> {
  if (alarms.length === 0) return [];
  const rows = await sql.all<Pick<NewAlarm, 'kind' | 'subject' | 'percent'>>(
    `INSERT INTO @alarms
       (kind, subject, percent, request_no, controller_id, target, deadline, message, raised_time)
     SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::text[], $6::text[],
                          $7::bigint[], $8::text[], $9::bigint[])
     ON CONFLICT DO NOTHING RETURNING kind, subject, percent`,
    [
      alarms.map((it) => it.kind),
      alarms.map((it) => it.subject),
      alarms.map((it) => it.percent),
      alarms.map((it) => it.requestNo),
      alarms.map((it) => it.controllerId),
      alarms.map((it) => it.target),
      alarms.map((it) => it.deadline),
      alarms.map((it) => it.message),
      alarms.map((it) => it.raisedTime),
    ],
  );
  const raised = new Set(rows.map(keyOf));
  // Once each, also where it was given twice.
  return alarms.filter((alarm) => raised.delete(keyOf(alarm)));
}

function keyOf({ kind, subject, percent }: Pick<NewAlarm, 'kind' | 'subject' | 'percent'>): string {
  return `${kind} ${percent} ${subject}`;
}
