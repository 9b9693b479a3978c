// Metrics from the store, under the names that docs/monitoring.md lists.
import { expectedCompletion } from '../domain/deadline/expected-completion.ts';
import type { StoreMetrics } from '../domain/store/metrics-ports.ts';
import { byLabel, type Metric, single } from './exposition.ts';

/** An alert compares the two; no values without the settings, and no time without a backup. */
export const backupMetrics = (
  everySeconds: number | null,
  newest: { readonly time: number } | undefined,
): Metric[] => [
  single(
    'unwrite_backup_last_timestamp_seconds',
    'gauge',
    'When the newest backup in backup.folder was made.',
    newest === undefined ? null : newest.time / 1000,
  ),
  single('unwrite_backup_interval_seconds', 'gauge', 'The setting backup.every.', everySeconds),
];

export function storeMetrics(store: StoreMetrics, now: number): Metric[] {
  const total = (what: string) => store.requestTotals.get(what) ?? 0;
  const { oldestReceivedTime: oldest, nearestStatutoryDeadline: statutory } = store;
  const deadlines: [string, number][] = [];
  if (oldest !== null) deadlines.push(['expected', (expectedCompletion(oldest) - now) / 1000]);
  if (statutory !== null) deadlines.push(['statutory', (statutory - now) / 1000]);
  return [
    byLabel('unwrite_requests', 'gauge', 'Open requests.', 'status', store.openRequests),
    single('unwrite_requests_created_total', 'counter', 'Requests created.', store.createdTotal),
    single('unwrite_requests_started_total', 'counter', 'Requests started.', total('starts')),
    single(
      'unwrite_requests_completed_total',
      'counter',
      'Requests completed.',
      total('completed'),
    ),
    single(
      'unwrite_requests_cancelled_total',
      'counter',
      'Requests cancelled.',
      total('cancelled'),
    ),
    single(
      'unwrite_requests_not_found_anywhere_total',
      'counter',
      'Completed requests that were found at no target.',
      total('nowhere'),
    ),
    {
      name: 'unwrite_tasks',
      type: 'gauge',
      help: 'Open tasks.',
      labels: ['target', 'state'],
      samples: store.openTasks.map(({ target, state, count }) => ({
        values: [target, state],
        value: count,
      })),
    },
    ofTargets(store, 'tasks', 'unwrite_tasks_done_total', 'Tasks that are done.'),
    ofTargets(store, 'not_found', 'unwrite_tasks_not_found_total', 'Tasks that found nothing.'),
    ofTargets(store, 'rows', 'unwrite_rows_erased_total', 'Rows erased or overwritten.'),
    byLabel(
      'unwrite_attention',
      'gauge',
      'Tasks and requests that need attention.',
      'reason',
      store.attention,
    ),
    byLabel(
      'unwrite_alarm_last_raised_timestamp_seconds',
      'gauge',
      'When the newest alarm of a kind was raised.',
      'kind',
      [...store.alarms].map(([kind, raised]): [string, number] => [kind, raised / 1000]),
    ),
    single(
      'unwrite_alarms_undelivered',
      'gauge',
      'Alarms not delivered to alarms.webhook yet; all alarms if it is not set.',
      store.undeliveredAlarms,
    ),
    single(
      'unwrite_oldest_open_request_seconds',
      'gauge',
      'Age of the oldest open request.',
      oldest === null ? null : (now - oldest) / 1000,
    ),
    byLabel(
      'unwrite_nearest_deadline_seconds',
      'gauge',
      'Time left until the nearest deadline of an open request; negative: it has passed.',
      'deadline',
      deadlines,
    ),
    byLabel(
      'unwrite_target_down',
      'gauge',
      'Targets that cannot be used at the moment: down, or refused by the check.',
      'target',
      store.targetsDown.map((target): [string, number] => [target, 1]),
    ),
    byLabel(
      'unwrite_paused',
      'gauge',
      'Targets that an operator has paused; * is all of them.',
      'target',
      store.paused.map((scope): [string, number] => [scope, 1]),
    ),
    single('unwrite_store_wal_bytes', 'gauge', 'Size of the write-ahead log.', store.walBytes),
    single(
      'unwrite_store_bytes',
      'gauge',
      'Size of the store, without its log.',
      store.databaseBytes,
    ),
  ];
}

function ofTargets(
  { targetTotals }: StoreMetrics,
  what: StoreMetrics['targetTotals'][number]['what'],
  name: string,
  help: string,
): Metric {
  const values = targetTotals.filter((it) => it.what === what);
  return byLabel(
    name,
    'counter',
    help,
    'target',
    values.map(({ target, count }): [string, number] => [target, count]),
  );
}
