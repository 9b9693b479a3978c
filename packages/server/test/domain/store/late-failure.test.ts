import { expect, it } from 'vitest';
import { createLateFailure } from '../../../src/domain/store/late-failure.ts';

it('tells the newest failure for ten seconds, and nothing before and after', () => {
  let now = 0;
  const failure = createLateFailure(() => now);
  expect(failure.reason()).toBeUndefined();
  failure.note('full');
  now = 5000;
  failure.note('fuller');
  now = 14_999;
  expect(failure.reason()).toBe('fuller');
  now = 15_000;
  expect(failure.reason()).toBeUndefined();
});
