import { InvalidArgumentError } from 'commander';
import { DAY_MS } from '../../domain/time-units.ts';

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** A day, which begins at midnight UTC, or a time. */
export function readSince(value: string): number {
  const time = TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('It must be a day (UTC) or a time: 2026-11-01T22:00Z.');
  }
  return time;
}

/** A day is included to its end. */
export function readUntil(value: string): number {
  return readSince(value) + (value.includes('T') ? 0 : DAY_MS - 1);
}
