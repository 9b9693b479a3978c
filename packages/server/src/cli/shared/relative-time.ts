// Times as people at a terminal read them: "in 3 days", "2 h ago". Scripts get ISO 8601.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time-units.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function relativeTime(time: number, now: number): string {
  const distance = Math.abs(time - now);
  if (distance < 5 * SECOND_MS) return 'now';
  const words = inWords(distance);
  return time > now ? `in ${words}` : `${words} ago`;
}

/** Uses the next unit from one and a half of it: "80 min" is more exact than "1 h". */
function inWords(distance: number): string {
  if (distance < 1.5 * MINUTE_MS) return `${Math.round(distance / SECOND_MS)} s`;
  if (distance < 1.5 * HOUR_MS) return `${Math.round(distance / MINUTE_MS)} min`;
  if (distance < 1.5 * DAY_MS) return `${Math.round(distance / HOUR_MS)} h`;
  return `${Math.round(distance / DAY_MS)} days`;
}

/** The same for a text that is an ISO time; undefined for other texts. */
export function relativeIso(text: string, now: number): string | undefined {
  return ISO.test(text) ? relativeTime(Date.parse(text), now) : undefined;
}
