import type { NewAlarm } from '../../../domain/alarm/alarm.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import { hex, rowsOf, type Sql } from '../../sql.ts';

/**
 * Alarms about rows that someone else wrote to the store: an attacker must not be able to suppress one by
 * inserting it beforehand as already handled.
 */
const ABOUT_OTHERS: readonly NewAlarm['kind'][] = [
  'row_refused',
  'audit_tampered',
  'receipt_refused',
];
const TAG_BYTES = 6;

/** Raises the alarms in order, and returns those that had not been raised before. */
export async function raiseAlarms(sql: Sql, given: readonly NewAlarm[]): Promise<NewAlarm[]> {
  if (given.length === 0) return [];
  const alarms = given.map((alarm) => withTag(sql.rowMacs, alarm));
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
  // Each once, even if it was given twice.
  return alarms.filter((alarm) => raised.delete(keyOf(alarm)));
}

/** Adds a tag that is the same on all nodes, and cannot be predicted without the key that authenticates rows. */
function withTag(macs: RowMacs, alarm: NewAlarm): NewAlarm {
  const { kind, subject } = alarm;
  if (!ABOUT_OTHERS.includes(kind)) return alarm;
  const mac = macs.compute({ kind: 'alarm', id: kind, fields: [subject] });
  return { ...alarm, subject: `${subject} ${hex(mac.subarray(0, TAG_BYTES))}` };
}

function keyOf({ kind, subject, percent }: Pick<NewAlarm, 'kind' | 'subject' | 'percent'>): string {
  return `${kind} ${percent} ${subject}`;
}
