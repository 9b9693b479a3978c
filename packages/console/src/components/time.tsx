// Relative times, with the exact time on hover and for machines.
import { useSyncExternalStore } from 'react';
import { onClockSet, serverNow } from '../api/server-clock.ts';
import { t, tn } from '../words/t.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let now = serverNow();
const listeners = new Set<() => void>();
function moveOn(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}
setInterval(moveOn, 15_000);
onClockSet(moveOn);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Updates every 15 seconds, for all times of a page at once. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const withYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

export function exactTime(iso: string): string {
  const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
    .formatToParts(new Date(iso))
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${exact.format(new Date(iso))} ${zone ?? ''}`.trim();
}

function formatDay(iso: string, at: number): string {
  const date = new Date(iso);
  const sameYear = date.getFullYear() === new Date(at).getFullYear();
  return (sameYear ? short : withYear).format(date);
}

function span(ms: number): string {
  if (ms < MINUTE) return t('time.moments');
  if (ms < HOUR) return tn('time.minutes', Math.floor(ms / MINUTE));
  if (ms < 2 * DAY) return tn('time.hours', Math.floor(ms / HOUR));
  return tn('time.days', Math.floor(ms / DAY));
}

export function relativeTime(iso: string, at: number): string {
  const difference = Date.parse(iso) - at;
  if (Math.abs(difference) < MINUTE) return t('time.now');
  if (Math.abs(difference) > 60 * DAY) return formatDay(iso, at);
  const words = { span: span(Math.abs(difference)) };
  return difference > 0 ? t('time.in', words) : t('time.ago', words);
}

export function Time({ iso, className = '' }: { iso: string | null; className?: string }) {
  const at = useNow();
  if (iso === null) return <span className="text-ink-3">{t('none')}</span>;
  return (
    <time
      dateTime={iso}
      title={exactTime(iso)}
      className={`numbers whitespace-nowrap ${className}`}
    >
      <span className="print:hidden">{relativeTime(iso, at)}</span>
      {/* A relative time such as "two hours ago" is useless on paper. */}
      <span className="hidden print:inline">{exactTime(iso)}</span>
    </time>
  );
}

/** For lists in which people look for the time itself. */
export function ExactTime({ iso }: { iso: string }) {
  const at = useNow();
  return (
    <time dateTime={iso} title={relativeTime(iso, at)} className="numbers whitespace-nowrap">
      {exactTime(iso)}
    </time>
  );
}

export function daysUntil(iso: string, at: number): number {
  return (Date.parse(iso) - at) / DAY;
}

export function spanUntil(iso: string, at: number): string {
  return span(Math.abs(Date.parse(iso) - at));
}
