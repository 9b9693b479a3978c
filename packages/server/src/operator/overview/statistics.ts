// Arrivals, completions and how long they took, day by day.

import type { Counted } from '../../domain/limit/daily-count.ts';
import { dayOf, startOfDay } from '../../domain/limit/day.ts';
import { quantile } from '../../domain/statistics/completion-times.ts';
import type { Store } from '../../domain/store/store.ts';
import { HOUR_MS } from '../../domain/time-units.ts';
import { controllerOf } from '../controller/find-controller.ts';
import { isoTime } from '../iso-time.ts';

export async function readStatistics(
  { views, tenants, clock }: Pick<Store, 'views' | 'tenants' | 'clock'>,
  { days: length, controller }: { readonly days: number; readonly controller?: string | undefined },
) {
  const controllerId = await controllerOf(controller, tenants);
  const until = dayOf(clock());
  const days = { from: until - length + 1, until };
  const counts = await views.dailyCounts(['starts', 'completed', 'cancelled'], days, controllerId);
  const arrivals = await views.arrivals(days, controllerId);
  // Completion times are read for all controllers together: they depend on the installation, not on a controller.
  const times = controllerId === undefined ? await views.completionTimes(days) : [];
  const arrived = new Map(arrivals.map(({ day, count }) => [day, count]));
  const counted = new Map(counts.map(({ day, what, count }) => [`${day} ${what}`, count]));
  const timesOf = Map.groupBy(times, ({ day }) => day);
  const on = (day: number, what: Counted) => counted.get(`${day} ${what}`) ?? 0;
  return {
    from: dateOf(days.from),
    until: dateOf(days.until),
    days: Array.from({ length }, (_, at) => {
      const day = days.from + at;
      return {
        day: dateOf(day),
        arrived: arrived.get(day) ?? 0,
        started: on(day, 'starts'),
        completed: on(day, 'completed'),
        cancelled: on(day, 'cancelled'),
        completion_hours: hoursOf(timesOf.get(day) ?? []),
      };
    }),
    up_to: isoTime(await views.countedUntil()),
  };
}

export function dateOf(day: number): string {
  return new Date(startOfDay(day)).toISOString().slice(0, 10);
}

function hoursOf(times: readonly { readonly duration: number; readonly count: number }[]) {
  const median = quantile(times, 0.5);
  const p90 = quantile(times, 0.9);
  return median === null || p90 === null ? null : { median: inHours(median), p90: inHours(p90) };
}

function inHours(milliseconds: number): number {
  return Math.round((milliseconds / HOUR_MS) * 100) / 100;
}
