import { it } from 'vitest';
import { HOUR } from '../contract/fulfilment/under-test.ts';
import { expectEveryAlarmOfAYear } from './alarms-of-a-year.ts';

it('a year of two hundred requests raises every alarm in time and none twice', () =>
  expectEveryAlarmOfAYear({ requests: 200, stepMs: 12 * HOUR }));
