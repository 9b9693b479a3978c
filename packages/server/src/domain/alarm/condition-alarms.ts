// Alarms about other things than deadlines that were not raised yet: one for each day, or for each outage of a
// target.

import { isLimitReached } from '../limit/daily-count.ts';
import { startOfDay } from '../limit/day.ts';
import { anAlarm, type NewAlarm } from './alarm.ts';
import type { ConditionLimits } from './alarm-ports.ts';

/** A target is reported after it has been down for this long. */
export const DOWN_MS = 3_600_000;
/** Fewer completed requests than this do not show that a mapping is wrong. */
const MIN_COMPLETED = 20;

export interface CountedDay {
  readonly day: number;
  /** A controller, or a target. */
  readonly whose: string;
  readonly count: number;
}

export interface NowhereDay extends CountedDay {
  readonly completed: number;
}

export interface DownTarget {
  readonly target: string;
  readonly code: string;
  readonly openedTime: number;
}

export interface RefusedTarget {
  readonly target: string;
  readonly detail: string;
  readonly openedTime: number;
}

export interface FoundConditions {
  readonly starts: readonly CountedDay[];
  readonly deferred: readonly CountedDay[];
  readonly nowhere: readonly NowhereDay[];
  readonly down: readonly DownTarget[];
  /** Targets that their own check refuses: reported at once. */
  readonly refused: readonly RefusedTarget[];
}

export function conditionAlarms(
  { starts, deferred, nowhere, down, refused }: FoundConditions,
  { maxStartsPerDay, notFoundPercent }: Omit<ConditionLimits, 'summaryAt'>,
  now: number,
): NewAlarm[] {
  const reached = starts.filter(({ count }) => isLimitReached(count, maxStartsPerDay));
  const unfound = nowhere.filter((one) => isMostlyNowhere(one, notFoundPercent));
  return [
    ...reached.map(({ whose, day }) => {
      const message = `max_starts_per_day (${maxStartsPerDay}) is reached: further requests of this controller wait until tomorrow. Are so many intended? If not: "unwrite pause", and revoke its secret`;
      return anAlarm('daily_starts', `${whose} ${day}`, message, now, { controllerId: whose });
    }),
    ...deferred.map(({ whose, day }) => {
      const message = `max_rows_per_day is reached: further rows of this target wait until tomorrow. Are so many intended? If not: "unwrite pause --target ${whose}"`;
      return anAlarm('daily_rows', `${whose} ${day}`, message, now, { target: whose });
    }),
    ...unfound.map(({ whose, day, count, completed }) => {
      const on = new Date(startOfDay(day)).toISOString().slice(0, 10);
      const message = `${count} of ${completed} requests completed on ${on} were found at no target: check match and tenancy of the targets ("unwrite target check")`;
      return anAlarm('not_found', `${whose} ${day}`, message, now, { controllerId: whose });
    }),
    ...down.map(({ target, code, openedTime }) => {
      const message = `the target has been down for over an hour (${code}): "unwrite target check ${target}" says why`;
      return anAlarm('target_down', `${target} ${openedTime}`, message, now, { target });
    }),
    ...refused.map(({ target, detail, openedTime }) => {
      const message = `nothing is erased at the target, as its check finds a problem: ${detail}`;
      return anAlarm('target_refused', `${target} ${openedTime}`, message, now, { target });
    }),
  ];
}

function isMostlyNowhere({ count, completed }: NowhereDay, percent: number | null): boolean {
  return percent !== null && completed >= MIN_COMPLETED && count * 100 > completed * percent;
}
