import type { Regulation } from '@unwrite/protocol';
import { MINUTE_MS } from '../time-units.ts';

export interface LawFacts {
  readonly regulation: Regulation;
  readonly submittedTime: string;
  readonly receivedTime: number;
  readonly extendedUntil: number | null;
}

const FORTY_FIVE_DAYS = 45 * 24 * 60 * MINUTE_MS;

export interface TimeLimit {
  readonly start: number;
  readonly end: number;
}

/**
 * How long the law allows: a calendar month (GDPR 12(3)) or 45 days (CCPA 1798.130), from the earlier of
 * submission and receipt, unless the controller has extended it. Computed from stored times alone, so that a clock
 * that is wrong today changes nothing. If the day of the month depends on the time zone, the earlier end counts.
 */
export function statutoryLimit({ extendedUntil, ...request }: LawFacts): TimeLimit {
  const limit = limitOf(request, 1);
  return extendedUntil === null ? limit : { ...limit, end: Math.max(limit.end, extendedUntil) };
}

/** The end of the longest extension: two further months (GDPR 12(3)) or 45 days (CCPA 1798.145(h)). */
export function latestExtension(request: Omit<LawFacts, 'extendedUntil'>): number {
  return limitOf(request, request.regulation === 'ccpa' ? 2 : 3).end;
}

/** `terms`: how many of the regulation's periods, of a month or of 45 days. */
function limitOf(
  { regulation, submittedTime, receivedTime }: Omit<LawFacts, 'extendedUntil'>,
  terms: number,
): TimeLimit {
  const submitted = timeOf(submittedTime) ?? receivedTime;
  const start = Math.min(submitted, receivedTime);
  if (regulation === 'ccpa') return { start, end: start + terms * FORTY_FIVE_DAYS };
  const offset = offsetOf(submittedTime);
  const end = Math.min(monthsAfter(start, terms, 0), monthsAfter(start, terms, offset));
  return { start, end };
}

/** The same day and time of a later month; the last day of that month if it is shorter. */
function monthsAfter(start: number, months: number, offset: number): number {
  const date = new Date(start + offset);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(day, daysInMonth(date)));
  return date.getTime() - offset;
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** RFC 3339 allows leap seconds, JavaScript does not. */
function timeOf(text: string): number | undefined {
  const time = Date.parse(text.replace(/(:\d\d):60/, '$1:59'));
  return Number.isNaN(time) ? undefined : time;
}

function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return sign === '-' ? -offset : offset;
}
