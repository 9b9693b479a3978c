// Reads what is told once a day, and only while it was not told today.
import type { NewAlarm } from '../../../domain/alarm/alarm.ts';
import {
  type DayInNumbers,
  type HeldTasks,
  heldAlarms,
  isSummaryDue,
  summaryAlarm,
} from '../../../domain/alarm/daily-alarms.ts';
import { THIRTY_DAYS } from '../../../domain/deadline/expected-completion.ts';
import { dayOf } from '../../../domain/limit/day.ts';
import { DAY_MS } from '../../../domain/time-units.ts';
import type { Database } from '../../sql.ts';

const DUE_SOON_MS = 3 * DAY_MS;

const IS_HELD = `state = 'held' AND state IN ('held', 'failed') AND reason <> 'legal_hold'`;

const HELD = `
  SELECT target, reason, count(*) AS count, min(changed_time) AS since
  FROM @tasks WHERE ${IS_HELD} GROUP BY target, reason ORDER BY target, reason`;

const openRequests = (where: string) =>
  `(SELECT count(*) FROM @requests WHERE status = 'pending' AND ${where})
   + (SELECT count(*) FROM @requests WHERE status = 'in_progress' AND ${where})`;

const counted = (what: string) =>
  `(SELECT coalesce(sum(count), 0)::bigint FROM @daily_counts WHERE day = :yesterday AND what = '${what}')`;

const NUMBERS = `
  SELECT ${openRequests('received_time >= 0')} AS open,
         ${openRequests('received_time < :dueSoon')} AS "dueSoon",
         (SELECT count(*) FROM @tasks WHERE ${IS_HELD}) AS held,
         ${counted('completed')} AS completed,
         ${counted('nowhere')} AS nowhere`;

const TOLD =
  'SELECT 1 AS told FROM @alarms WHERE kind = :kind AND subject = :subject AND percent = 0';

export async function readDailyAlarms(
  database: Database,
  summaryAt: number | null,
  now: number,
): Promise<NewAlarm[]> {
  const day = dayOf(now);
  const isTold = async (kind: NewAlarm['kind']) =>
    (await database.get(TOLD, { kind, subject: String(day) })) !== undefined;
  const alarms: NewAlarm[] = [];
  if (!(await isTold('held'))) alarms.push(...heldAlarms(await database.all<HeldTasks>(HELD), now));
  if (!isSummaryDue(summaryAt, now) || (await isTold('daily_summary'))) return alarms;
  const numbers = await database.get<DayInNumbers>(NUMBERS, {
    dueSoon: now - THIRTY_DAYS + DUE_SOON_MS,
    yesterday: day - 1,
  });
  return numbers === undefined ? alarms : [...alarms, summaryAlarm(numbers, now)];
}
