// What is told once a day: tasks that wait for a decision, while there are any, and the summary.
import { dayOf, startOfDay } from '../limit/day.ts';
import { MINUTE_MS } from '../time-units.ts';
import { anAlarm, type NewAlarm } from './alarm.ts';

/** A batch may hold many tasks one after the other: they are one alarm. */
export const HELD_FOR_MS = 10 * MINUTE_MS;
const MAX_NAMED = 5;

export interface HeldTasks {
  readonly target: string;
  readonly reason: string;
  readonly count: number;
  /** When the first of them was held. */
  readonly since: number;
}

export function heldAlarms(held: readonly HeldTasks[], now: number): NewAlarm[] {
  if (!held.some(({ since }) => since <= now - HELD_FOR_MS)) return [];
  const count = held.reduce((sum, one) => sum + one.count, 0);
  const most = held.toSorted((a, b) => b.count - a.count);
  const named = most
    .slice(0, MAX_NAMED)
    .map((one) => `${one.count} of ${one.target} (${one.reason})`);
  const rest = most.slice(MAX_NAMED).reduce((sum, one) => sum + one.count, 0);
  const tasks = count === 1 ? '1 task waits' : `${count} tasks wait`;
  const message = `${tasks} for a decision: ${named.join(', ')}${rest === 0 ? '' : `, and ${rest} others`}; "unwrite request list --attention" shows them`;
  return [anAlarm('held', String(dayOf(now)), message, now, { count })];
}

export interface DayInNumbers {
  /** Requests that are pending or in progress. */
  readonly open: number;
  /** Tasks. */
  readonly held: number;
  /** Open requests whose expected completion time is less than three days away, or has passed. */
  readonly dueSoon: number;
  /** Requests that were completed on the day before, and those of them that were found at no target. */
  readonly completed: number;
  readonly nowhere: number;
}

/** `at`: milliseconds since the begin of the day. */
export function isSummaryDue(at: number | null, now: number): boolean {
  return at !== null && now - startOfDay(dayOf(now)) >= at;
}

export function summaryAlarm(numbers: DayInNumbers, now: number): NewAlarm {
  const { open, held, dueSoon, completed, nowhere } = numbers;
  const message = `open requests: ${open}; due within three days: ${dueSoon}; tasks that wait for a decision: ${held}; completed yesterday: ${completed}, ${nowhere} of them found at no target`;
  return anAlarm('daily_summary', String(dayOf(now)), message, now);
}
