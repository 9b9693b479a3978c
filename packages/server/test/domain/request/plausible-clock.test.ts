import { expect, it } from 'vitest';
import { type ClockFacts, clockJump } from '../../../src/domain/request/plausible-clock.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const YEAR = 365 * DAY;

it.each<[string, Partial<ClockFacts>, number | undefined]>([
  ['heads come all the time', { before: -2 * DAY, after: -HOUR }, undefined],
  ['nothing is older than a day', { before: null, after: -HOUR }, undefined],
  ['it was off for a weekend', { before: -3 * DAY, after: null }, undefined],
  ['it was idle for as long as it runs', { before: -YEAR, after: null, upMs: YEAR }, undefined],
  ['it was off for a year, or the clock is ahead', { before: -YEAR, after: null }, YEAR],
  ['the same, and a head was sealed since', { before: -YEAR, after: -HOUR }, YEAR - HOUR],
  ['the clock jumps while it runs', { before: -YEAR, after: null, upMs: 30 * DAY }, YEAR],
  ['it waits, and nothing is sealed', { before: -YEAR, after: null, waitedMs: 23 * HOUR }, YEAR],
  ['it has waited for a day', { before: -YEAR, after: null, waitedMs: DAY }, undefined],
])('a clock is judged where %s', (_, facts, expected) => {
  const given = { now: 0, before: null, after: null, upMs: 5000, waitedMs: 0, ...facts };
  expect(clockJump(given)).toBe(expected);
});
