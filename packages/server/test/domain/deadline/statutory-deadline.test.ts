import { describe, expect, it } from 'vitest';
import {
  latestExtension,
  statutoryLimit,
} from '../../../src/domain/deadline/statutory-deadline.ts';

const iso = (time: number) => new Date(time).toISOString().replace('.000', '');
const request = (regulation: 'gdpr' | 'ccpa', submittedTime: string, receivedTime: number) => ({
  regulation,
  submittedTime,
  receivedTime,
  extendedUntil: null,
});
const endOf = (regulation: 'gdpr' | 'ccpa', submitted: string, received = submitted) =>
  iso(statutoryLimit(request(regulation, submitted, Date.parse(received))).end);

describe('the statutory deadline under GDPR', () => {
  it.each([
    ['an ordinary day', '2026-11-15T10:00:00Z', '2026-12-15T10:00:00Z'],
    ['31 January', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
    ['31 January of a leap year', '2028-01-31T10:00:00Z', '2028-02-29T10:00:00Z'],
    ['29 January', '2026-01-29T10:00:00Z', '2026-02-28T10:00:00Z'],
    ['29 February', '2028-02-29T10:00:00Z', '2028-03-29T10:00:00Z'],
    ['31 December', '2026-12-31T23:59:59Z', '2027-01-31T23:59:59Z'],
    ['31 March', '2026-03-31T00:00:00Z', '2026-04-30T00:00:00Z'],
    ['1900, which was no leap year', '1900-01-30T00:00:00Z', '1900-02-28T00:00:00Z'],
  ])('is a month after %s', (_, submitted, end) => {
    expect(endOf('gdpr', submitted, '2030-01-01T00:00:00Z')).toBe(end);
  });

  it('keeps the time of day across the nights when clocks change', () => {
    expect(endOf('gdpr', '2026-03-28T02:30:00+01:00')).toBe('2026-04-28T01:30:00Z');
    expect(endOf('gdpr', '2026-10-24T02:30:00+02:00')).toBe('2026-11-24T00:30:00Z');
  });

  it('is the earlier one if the day depends on the time zone', () => {
    // 30 January in UTC, 31 January where it was submitted.
    expect(endOf('gdpr', '2026-01-31T00:30:00+02:00')).toBe('2026-02-27T22:30:00Z');
    // 28 February in UTC, 1 March where it was submitted.
    expect(endOf('gdpr', '2026-03-01T00:30:00+02:00')).toBe('2026-03-28T22:30:00Z');
    // 1 March in UTC, 28 February where it was submitted.
    expect(endOf('gdpr', '2026-02-28T21:00:00-05:00')).toBe('2026-03-29T02:00:00Z');
  });
});

describe('the statutory deadline under CCPA', () => {
  it('is 45 days after', () => {
    expect(endOf('ccpa', '2026-01-31T10:00:00Z')).toBe('2026-03-17T10:00:00Z');
  });
});

describe('what the deadline counts from', () => {
  const RECEIVED = '2026-06-10T12:00:00Z';

  it('is the receipt if the submission is said to be in the future', () => {
    expect(endOf('gdpr', '2036-01-01T00:00:00Z', RECEIVED)).toBe('2026-07-10T12:00:00Z');
  });

  it('is the submission if that was long ago', () => {
    expect(endOf('gdpr', '2020-01-01T00:00:00Z', RECEIVED)).toBe('2020-02-01T00:00:00Z');
    expect(endOf('gdpr', '0001-01-31T00:00:00Z', RECEIVED)).toBe('0001-02-28T00:00:00Z');
  });

  it('does not move later if the clock of the receipt was a day off, either way', () => {
    const right = statutoryLimit(request('gdpr', RECEIVED, Date.parse(RECEIVED))).end;
    for (const off of [-86_400_000, 86_400_000]) {
      const { end } = statutoryLimit(request('gdpr', RECEIVED, Date.parse(RECEIVED) + off));
      expect(end).toBeLessThanOrEqual(right);
    }
  });

  it('understands a leap second, and falls back to the receipt for what it cannot read', () => {
    expect(endOf('gdpr', '2016-12-31T23:59:60Z', RECEIVED)).toBe('2017-01-31T23:59:59Z');
    expect(endOf('gdpr', 'whenever', RECEIVED)).toBe('2026-07-10T12:00:00Z');
  });
});

describe('an extension of the statutory deadline', () => {
  const latest = (regulation: 'gdpr' | 'ccpa', submitted: string) =>
    iso(latestExtension(request(regulation, submitted, Date.parse(submitted))));

  it('is two further months at most under GDPR, 45 days under CCPA', () => {
    expect(latest('gdpr', '2026-11-30T10:00:00Z')).toBe('2027-02-28T10:00:00Z');
    expect(latest('ccpa', '2026-01-31T10:00:00Z')).toBe('2026-05-01T10:00:00Z');
  });

  it('moves the end, never to an earlier time', () => {
    const own = request('gdpr', '2026-11-15T10:00:00Z', Date.parse('2026-11-15T10:00:00Z'));
    const end = (until: string) =>
      iso(statutoryLimit({ ...own, extendedUntil: Date.parse(until) }).end);
    expect(end('2027-02-01T00:00:00Z')).toBe('2027-02-01T00:00:00Z');
    expect(end('2026-11-20T00:00:00Z')).toBe('2026-12-15T10:00:00Z');
  });
});
