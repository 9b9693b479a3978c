import type { PollIntervals } from '../../../src/queue/poll-intervals.ts';

/** Tests wait for the work, not for the next look at it. */
export const SHORT_INTERVALS: PollIntervals = {
  worker: 20,
  batches: 50,
  schedules: 100,
  masterKeys: 50,
  credentials: 200,
  conditions: 100,
  restores: 100,
  tls: 50,
};
