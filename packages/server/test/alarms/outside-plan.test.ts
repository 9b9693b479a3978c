import { expect, it } from 'vitest';
import { createTellOutside } from '../../src/alarms/outside-plan.ts';
import type { NewAlarm } from '../../src/domain/alarm/alarm.ts';

it('raises the same alarm for the same list, and another for another', async () => {
  const raised: NewAlarm[] = [];
  const raise = async (alarms: readonly NewAlarm[]) => {
    raised.push(...alarms);
    return [];
  };
  const tell = createTellOutside(
    { raise },
    () => 7,
    () => undefined,
  );
  await tell('shop', ['leads', 'users.phone']);
  await tell('shop', ['leads', 'users.phone']);
  await tell('shop', ['leads']);
  const [first, again, other] = raised;
  expect(first).toMatchObject({ kind: 'outside_plan', target: 'shop' });
  expect(first?.message).toContain('leads, users.phone');
  expect(again?.subject).toBe(first?.subject);
  expect(other?.subject).not.toBe(first?.subject);
});
