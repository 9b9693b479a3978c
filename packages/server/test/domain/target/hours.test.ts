import { describe, expect, it } from 'vitest';
import { hours } from '../../../src/config/targets/hours-kind.ts';
import { isOpen } from '../../../src/domain/target/hours.ts';

const at = (text: string, time: string) => isOpen(hours.read(text), Date.parse(time));

describe('hours', () => {
  it.each([
    ['08:59:59', false],
    ['09:00:00', true],
    ['16:59:59', true],
    ['17:00:00', false],
  ])('09:00-17:00 at %s: %s', (time, open) => {
    expect(at('09:00-17:00 UTC', `2026-05-01T${time}Z`)).toBe(open);
  });

  it.each([
    ['21:59', false],
    ['22:00', true],
    ['00:00', true],
    ['05:59', true],
    ['06:00', false],
    ['12:00', false],
  ])('22:00-06:00 crosses midnight: at %s %s', (time, open) => {
    expect(at('22:00-06:00 UTC', `2026-05-01T${time}:00Z`)).toBe(open);
  });

  it('may end with the day, or be the whole of it', () => {
    expect(at('20:00-24:00 UTC', '2026-05-01T23:59:59Z')).toBe(true);
    expect(at('20:00-24:00 UTC', '2026-05-02T00:00:00Z')).toBe(false);
    expect(at('00:00-24:00 UTC', '2026-05-02T00:00:00Z')).toBe(true);
  });

  it('follow the time zone, in summer and winter', () => {
    expect(at('22:00-06:00 Europe/Berlin', '2026-07-01T20:30:00Z')).toBe(true);
    expect(at('22:00-06:00 Europe/Berlin', '2026-01-01T20:30:00Z')).toBe(false);
    expect(at('22:00-06:00 Asia/Kathmandu', '2026-01-01T16:15:00Z')).toBe(true);
    expect(at('22:00-06:00 Asia/Kathmandu', '2026-01-01T16:14:59Z')).toBe(false);
  });

  it('an hour that clocks skip in spring does not exist, and the end does not move', () => {
    // 2026-03-29 in Berlin: 01:59:59+01:00 is followed by 03:00:00+02:00.
    expect(at('02:00-03:00 Europe/Berlin', '2026-03-29T00:59:59Z')).toBe(false);
    expect(at('02:00-03:00 Europe/Berlin', '2026-03-29T01:00:00Z')).toBe(false);
    expect(at('22:00-06:00 Europe/Berlin', '2026-03-29T03:59:59Z')).toBe(true);
    expect(at('22:00-06:00 Europe/Berlin', '2026-03-29T04:00:00Z')).toBe(false);
  });

  it('an hour that clocks show twice in autumn counts twice', () => {
    // 2026-10-25 in Berlin: 02:59:59+02:00 is followed by 02:00:00+01:00.
    expect(at('02:00-03:00 Europe/Berlin', '2026-10-25T00:00:00Z')).toBe(true);
    expect(at('02:00-03:00 Europe/Berlin', '2026-10-25T01:59:59Z')).toBe(true);
    expect(at('02:00-03:00 Europe/Berlin', '2026-10-25T02:00:00Z')).toBe(false);
    expect(at('22:00-06:00 Europe/Berlin', '2026-10-25T04:59:59Z')).toBe(true);
    expect(at('22:00-06:00 Europe/Berlin', '2026-10-25T05:00:00Z')).toBe(false);
  });
});
