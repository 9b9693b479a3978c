import { expect, it } from 'vitest';
import { createWorkerTrouble } from '../../src/alarms/worker-trouble.ts';
import type { NewAlarm } from '../../src/domain/alarm/alarm.ts';
import { HOUR, MINUTE } from '../contract/fulfilment/under-test.ts';

it('it is reported even if the store cannot be written', async () => {
  const told: NewAlarm[] = [];
  const raise = () => {
    throw new Error('disk full');
  };
  const stopped = createWorkerTrouble({ raise }, (raised) => void told.push(...raised), Date.now);
  for (let times = 0; times < 3; times++) await stopped();
  expect(told).toHaveLength(1);
});

it('a worker that stops three times in ten minutes is reported, one that stops now and then is not', async () => {
  const clock = { now: Date.parse('2026-11-15T02:00:00Z') };
  const told: NewAlarm[] = [];
  const stopped = createWorkerTrouble(
    { raise: async (alarms) => alarms },
    (raised) => void told.push(...raised),
    () => clock.now,
  );
  for (let times = 0; times < 10; times++) {
    clock.now += HOUR;
    await stopped();
  }
  expect(told).toEqual([]);
  for (let times = 0; times < 2; times++) {
    clock.now += MINUTE;
    await stopped();
  }
  expect(told.map(({ kind }) => kind)).toEqual(['worker_failing']);
});
