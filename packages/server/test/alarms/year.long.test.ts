import { it } from 'vitest';
import { MINUTE } from '../contract/fulfilment/under-test.ts';
import { expectEveryAlarmOfAYear } from './alarms-of-a-year.ts';

it(
  'a year of ten thousand requests raises every alarm in time and none twice',
  () => expectEveryAlarmOfAYear({ requests: 10_000, stepMs: 20 * MINUTE }),
  120_000,
);
