// One target: its state, what it did day by day, its errors, and its limits.
import { dayOf } from '../../domain/limit/day.ts';
import type { Store } from '../../domain/store/store.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { alarmShape } from '../alarm-shape.ts';
import { dateOf } from '../overview/statistics.ts';
import { readTarget } from './target-lines.ts';

const DAYS = 30;
const MAX_ERRORS = 20;
const WHAT = ['tasks', 'rows', 'not_found', 'deferred'] as const;

export async function targetPage(
  store: Pick<Store, 'views' | 'tasks' | 'pauses' | 'clock'>,
  targets: readonly TargetConfig[],
  name: string,
) {
  const line = await readTarget(store, targets, name);
  const until = dayOf(store.clock());
  const counts = await store.views.dailyCounts(WHAT, { from: until - DAYS + 1, until }, name);
  const counted = new Map(counts.map(({ day, what, count }) => [`${day} ${what}`, count]));
  const errors = await store.views.alarms({ target: name, limit: MAX_ERRORS });
  return {
    ...line,
    throughput: Array.from({ length: DAYS }, (_, at) => {
      const day = until - DAYS + 1 + at;
      const on = (what: (typeof WHAT)[number]) => counted.get(`${day} ${what}`) ?? 0;
      return {
        day: dateOf(day),
        tasks: on('tasks'),
        rows: on('rows'),
        not_found: on('not_found'),
        deferred: on('deferred'),
      };
    }),
    errors: errors.items.map(alarmShape),
    limits: limitsOf(targets.find((target) => target.name === name)),
  };
}

function limitsOf(target: TargetConfig | undefined) {
  if (target === undefined) return null;
  return {
    max_rows_per_subject: target.maxRowsPerSubject,
    batch_size: target.batchSize,
    concurrency: target.concurrency,
    when_unmatched: target.whenUnmatched,
  };
}
