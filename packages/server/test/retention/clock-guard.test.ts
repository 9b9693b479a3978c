import { expect, it } from 'vitest';
import { createClockGuard } from '../../src/retention/clock-guard.ts';

const DAY = 86_400_000;

it('a clock that was found right is looked at again when it was set', async () => {
  const jumps: number[] = [];
  const guard = createClockGuard(
    { headsAround: async () => ({ before: 20_000 * DAY, after: null }) },
    () => 5,
    async (jumpMs) => void jumps.push(jumpMs),
  );
  expect(await guard(20_000 * DAY)).toBe(true);
  expect(await guard(20_400 * DAY)).toBe(false);
  expect(jumps).toEqual([400 * DAY]);
});
