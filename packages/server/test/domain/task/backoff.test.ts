import { describe, expect, it } from 'vitest';
import { createBackoff } from '../../../src/domain/task/backoff.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe('the delay before a retry', () => {
  const middle = createBackoff(30 * SECOND, () => 0.5);

  it('doubles up to six hours', () => {
    const waits = [1, 2, 3, 10, 11, 50, 100_000].map((attempts) => middle.retry(attempts));
    const seconds = waits.map((wait) => wait / SECOND);
    expect(seconds).toEqual([30, 60, 120, 15_360, 21_600, 21_600, 21_600]);
  });

  it('varies by at most a quarter, so that tasks that failed together are not retried together', () => {
    for (const attempts of [1, 2, 5, 30]) {
      const usual = middle.retry(attempts);
      expect(createBackoff(30 * SECOND, () => 0).retry(attempts)).toBe(0.75 * usual);
      expect(createBackoff(30 * SECOND, () => 1).retry(attempts)).toBe(1.25 * usual);
    }
    expect(createBackoff(365 * 24 * HOUR, () => 1).retry(1)).toBe(7.5 * HOUR);
  });

  it('is five seconds to five minutes for a target that is down', () => {
    const waits = [1, 2, 3, 20, 10_000].map((failures) => middle.probe(failures) / SECOND);
    expect(waits).toEqual([5, 10, 20, 300, 300]);
    expect(createBackoff(SECOND, () => 0.5).probe(1)).toBe(SECOND);
  });
});
