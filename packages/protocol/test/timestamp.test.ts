import { describe, expect, it } from 'vitest';
import { formatTimestamp, isTimestamp, parseTimestamp } from '../src/index.ts';

describe('an RFC 3339 timestamp', () => {
  it.each([
    ['Z', '2026-11-15T02:00:00Z', '2026-11-15T02:00:00.000Z'],
    ['a positive offset', '2026-11-15T02:00:00+05:30', '2026-11-14T20:30:00.000Z'],
    ['a negative offset', '2026-11-15T02:00:00-08:00', '2026-11-15T10:00:00.000Z'],
    ['the unknown offset -00:00', '2026-11-15T02:00:00-00:00', '2026-11-15T02:00:00.000Z'],
    ['the widest offsets', '2026-11-15T02:00:00+23:59', '2026-11-14T02:01:00.000Z'],
    ['small letters', '2026-11-15t02:00:00z', '2026-11-15T02:00:00.000Z'],
    ['one fraction digit', '2026-11-15T02:00:00.5Z', '2026-11-15T02:00:00.500Z'],
    ['twelve fraction digits', '2026-11-15T02:00:00.123456789012Z', '2026-11-15T02:00:00.123Z'],
    ['a fraction and an offset', '2026-11-15T02:00:00.25+01:00', '2026-11-15T01:00:00.250Z'],
    ['the last moment of a day', '2026-11-15T23:59:59.999Z', '2026-11-15T23:59:59.999Z'],
    ['29 February of a leap year', '2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['29 February of 2000', '2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['a year before 100', '0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['the year 9999', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['a leap second', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['a leap second west of UTC', '1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000Z'],
    ['a leap second east of UTC', '2017-01-01T05:29:60+05:30', '2017-01-01T00:00:00.000Z'],
  ])('may have %s', (_, text, instant) => {
    const parsed = parseTimestamp(text);
    expect(parsed).toBeDefined();
    expect(new Date(parsed ?? Number.NaN).toISOString()).toBe(instant);
    expect(isTimestamp(text)).toBe(true);
  });

  it.each([
    ['30 February', '2023-02-30T00:00:00Z'],
    ['29 February of a common year', '2023-02-29T00:00:00Z'],
    ['29 February of 1900', '1900-02-29T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['day 32', '2026-01-32T00:00:00Z'],
    ['a date alone', '2026-11-15'],
    ['a time alone', '02:00:00Z'],
    ['no offset', '2026-11-15T02:00:00'],
    ['no offset after a fraction', '2026-11-15T02:00:00.123'],
    ['hour 24', '2026-11-15T24:00:00Z'],
    ['minute 60', '2026-11-15T02:60:00Z'],
    ['second 61', '2026-11-15T23:59:61Z'],
    ['second 60 at another minute', '2026-11-15T12:00:60Z'],
    ['second 60 at 23:59 of another zone', '2016-12-31T23:59:60+01:00'],
    ['no seconds', '2026-11-15T02:00Z'],
    ['thirteen fraction digits', '2026-11-15T02:00:00.1234567890123Z'],
    ['a point without digits', '2026-11-15T02:00:00.Z'],
    ['a comma for the fraction', '2026-11-15T02:00:00,5Z'],
    ['a space for the T', '2026-11-15 02:00:00Z'],
    ['an offset without its colon', '2026-11-15T02:00:00+0100'],
    ['an offset of hours alone', '2026-11-15T02:00:00+01'],
    ['offset hour 24', '2026-11-15T02:00:00+24:00'],
    ['offset minute 60', '2026-11-15T02:00:00+01:60'],
    ['Z and an offset', '2026-11-15T02:00:00Z+01:00'],
    ['a zone name', '2026-11-15T02:00:00 UTC'],
    ['a bracketed zone', '2026-11-15T02:00:00Z[Europe/Paris]'],
    ['a true minus sign', '2026-11-15T02:00:00\u221201:00'],
    ['white space before it', ' 2026-11-15T02:00:00Z'],
    ['a line feed after it', '2026-11-15T02:00:00Z\n'],
    ['a two-digit year', '26-11-15T02:00:00Z'],
    ['a five-digit year', '12026-11-15T02:00:00Z'],
    ['a signed year', '+002026-11-15T02:00:00Z'],
    ['one-digit parts', '2026-1-5T2:0:0Z'],
    ['the basic format', '20261115T020000Z'],
    ['a week date', '2026-W46-7T02:00:00Z'],
    ['digits of another script', '２０２６-11-15T02:00:00Z'],
    ['RFC 1123', 'Sun, 15 Nov 2026 02:00:00 GMT'],
    ['epoch seconds', '1794708000'],
    ['nothing', ''],
  ])('may not have, or be, %s', (_, text) => {
    expect(parseTimestamp(text)).toBeUndefined();
    expect(isTimestamp(text)).toBe(false);
  });

  it('is written in UTC with milliseconds and Z', () => {
    expect(formatTimestamp(Date.UTC(2026, 10, 15, 2, 0, 0, 123))).toBe('2026-11-15T02:00:00.123Z');
    expect(formatTimestamp(0)).toBe('1970-01-01T00:00:00.000Z');
  });

  it('is read back as it was written', () => {
    for (const instant of [0, 951_782_400_000, 1_794_708_000_123]) {
      expect(parseTimestamp(formatTimestamp(instant))).toBe(instant);
    }
  });
});
