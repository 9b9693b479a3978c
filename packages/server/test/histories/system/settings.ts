// What is fixed for a history: when it begins, and what the server is configured with.
import type { WorkSettings } from '../../../src/app/work.ts';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import { POLL_INTERVALS } from '../../../src/queue/poll-intervals.ts';
import { DAY } from '../../contract/fulfilment/under-test.ts';
import { MASTER_KEY } from './open-store.ts';
import type { TargetChoices } from './targets.ts';

/** Ends of months, clocks that change, a leap day. */
export const STARTS = [
  '2026-11-15T02:00:00.000Z',
  '2027-01-31T23:30:00.000Z',
  '2027-03-27T23:59:59.000Z',
  '2027-10-30T22:00:00.000Z',
  '2028-02-29T12:00:00.000Z',
] as const;

export interface HistorySettings {
  readonly start: (typeof STARTS)[number];
  readonly windowMs: number;
  readonly maxStartsPerDay: number | null;
  readonly choices: TargetChoices;
}

export const RETENTION_IDENTITIES = 35 * DAY;
export const RETENTION_RECORDS = 730 * DAY;

export function workSettings(
  { windowMs, maxStartsPerDay }: HistorySettings,
  targets: readonly TargetConfig[],
  dataDir: string,
): WorkSettings {
  const masterKey = MASTER_KEY.toString('base64');
  return {
    masterKeys: [MASTER_KEY],
    keySource: { masterKey, masterKeyFile: '', masterKeyPrevious: [] },
    targets,
    cancellationWindowMs: windowMs,
    waitBeforeStartsMs: 0,
    rememberRequestsMs: 34 * DAY,
    retryDelayMs: 30_000,
    maxStartsPerDay,
    chores: {
      dataDir,
      domain: 'erase.example',
      targets,
      witness: { webhook: undefined, allowPrivate: false, file: undefined },
      retentionIdentitiesMs: RETENTION_IDENTITIES,
      retentionRecordsMs: RETENTION_RECORDS,
      keys: { retentionBackupsMs: 35 * DAY, masterKeyFile: null },
      backup: undefined,
      events: undefined,
      alarms: {
        limits: { maxStartsPerDay, notFoundPercent: 20, summaryAt: null },
        receivers: { webhook: undefined, mail: undefined, console: 'http://localhost:8080' },
        conditionsMs: 10_000,
      },
    },
    intervals: POLL_INTERVALS,
  };
}
