import { describe, expect, it } from 'vitest';
import { relativeIso, relativeTime } from '../../../src/cli/shared/relative-time.ts';

const NOW = Date.parse('2026-11-16T12:00:00.000Z');
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000] as const;

describe('a time at a terminal', () => {
  it.each([
    ['now', 0],
    ['now', -4 * SECOND],
    ['in 5 s', 5 * SECOND],
    ['89 s ago', -89 * SECOND],
    ['2 min ago', -90 * SECOND],
    ['in 89 min', 89 * MINUTE],
    ['2 h ago', -2 * HOUR],
    ['in 30 h', 30 * HOUR],
    ['in 3 days', 3 * DAY],
    ['730 days ago', -730 * DAY],
  ])('is said as "%s"', (words, distance) => {
    expect(relativeTime(NOW + distance, NOW)).toBe(words);
  });

  it('is recognised in a cell only by its form', () => {
    expect(relativeIso('2026-11-16T10:00:00.000Z', NOW)).toBe('2 h ago');
    for (const other of ['2026-11-16', '-', 'at 2026-11-16T10:00:00.000Z', '12']) {
      expect(relativeIso(other, NOW)).toBeUndefined();
    }
  });
});
