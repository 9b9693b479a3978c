import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayOf, startOfDay } from '../../../src/domain/limit/day.ts';

const zone = process.env.TZ;

describe.each(['UTC', 'Pacific/Auckland', 'America/Los_Angeles'])(
  'a day of a server in %s',
  (name) => {
    beforeEach(() => {
      process.env.TZ = name;
    });
    afterEach(() => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    });

    it('begins and ends at midnight in UTC, so that a daily limit is the same everywhere', () => {
      const day = dayOf(Date.parse('2026-11-15T00:00:00.000Z'));
      expect(dayOf(Date.parse('2026-11-15T23:59:59.999Z'))).toBe(day);
      expect(dayOf(Date.parse('2026-11-14T23:59:59.999Z'))).toBe(day - 1);
      expect(new Date(startOfDay(day + 1)).toISOString()).toBe('2026-11-16T00:00:00.000Z');
    });
  },
);
