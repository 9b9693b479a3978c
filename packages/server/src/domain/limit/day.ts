import { DAY_MS } from '../time-units.ts';

/** Days since 1970, in UTC: a limit must not depend on where the server stands, or on a clock change. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** The moment at which a day begins. */
export function startOfDay(day: number): number {
  return day * DAY_MS;
}
