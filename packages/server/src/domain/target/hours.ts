// Whether a target's batches may run at a given time, by the local time of its time zone.
import type { Hours } from './target.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The end is exclusive. In the night when clocks are set back, both repeated hours count. */
export function isOpen({ from, to, timeZone }: Hours, time: number): boolean {
  const minute = minuteOfDay(timeZone, time);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minuteOfDay(timeZone: string, time: number): number {
  const parts = formatOf(timeZone).formatToParts(time);
  const part = (type: 'hour' | 'minute') =>
    Number(parts.find((candidate) => candidate.type === type)?.value);
  return part('hour') * 60 + part('minute');
}

/** Cached, because creating a format is slow and the queue asks often. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}
