// Metrics of the store. On SQLite they use the server's read connection, so nothing here may
// take long: see remembered().
import { ALL_DAYS } from '../../../domain/limit/daily-count.ts';
import type { StoreMetrics } from '../../../domain/store/metrics-ports.ts';
import type { ReadMetrics } from '../../../domain/store/store.ts';
import type { AttentionQuery } from '../../../domain/task/operator-ports.ts';
import type { Database } from '../../sql.ts';
import { readNearestDeadline } from '../alarms/nearest-deadline.ts';
import { countAttention } from '../tasks/attention.ts';
import { readCircuits } from '../tasks/circuits.ts';
import { readPauses } from '../tasks/pauses.ts';
import { cached } from './cached.ts';

/** Open tasks are counted up to this number, because a scrape must be fast. */
const MAX_TASKS_COUNTED = 20_000;

const OPEN_REQUESTS = ['pending', 'in_progress']
  .map(
    (status) => `SELECT '${status}' AS name, count(*) AS count FROM @requests
      WHERE status = '${status}'`,
  )
  .join(' UNION ALL ');

/** Metrics that each database reads differently. */
export interface OwnMetrics {
  /**
   * Named counts, from which `created` computes the created requests; read in the same statement as the
   * open requests.
   */
  readonly countsForCreated: string;
  created(requests: ReadonlyMap<string, number>): number;
  bytes(): Promise<Pick<StoreMetrics, 'walBytes' | 'databaseBytes'>>;
}

interface Counted {
  readonly name: string;
  readonly count: number;
}

export function createMetricsReader(database: Database, own: OwnMetrics): ReadMetrics {
  async function counted(text: string): Promise<Map<string, number>> {
    const rows = await database.all<Counted>(text);
    return new Map(rows.map(({ name, count }) => [name, count]));
  }

  const readRequests = cached(() => counted(`${OPEN_REQUESTS} UNION ALL ${own.countsForCreated}`));
  const readTasks = cached(() =>
    database.all<StoreMetrics['openTasks'][number]>(`
      SELECT target, state, count(*) AS count
      FROM (SELECT target, state FROM @tasks WHERE state <> 'erased' LIMIT ${MAX_TASKS_COUNTED}) AS open
      GROUP BY target, state`),
  );
  const readTotals = () =>
    counted(`
      SELECT what AS name, sum(count)::bigint AS count FROM @daily_counts
      WHERE day = ${ALL_DAYS} AND what IN ('starts', 'completed', 'cancelled', 'nowhere')
      GROUP BY what`);
  const readTargetTotals = () =>
    database.all<StoreMetrics['targetTotals'][number]>(`
      SELECT whose AS target, what, count FROM @daily_counts
      WHERE day = ${ALL_DAYS} AND what IN ('tasks', 'not_found', 'rows') ORDER BY whose, what`);
  const readAlarms = cached(() =>
    counted('SELECT kind AS name, max(raised_time) AS count FROM @alarms GROUP BY kind'),
  );
  const readAttention = cached((query: Omit<AttentionQuery, 'limit'>) =>
    countAttention(database, query),
  );
  const readNearest = cached(() => readNearestDeadline(database));
  const readState = () =>
    database.get<{ undelivered: number; oldest: number | null }>(`
      SELECT (SELECT count(*) FROM @alarms
                WHERE delivered_time IS NULL AND mailed_time IS NULL) AS undelivered,
             (SELECT min(received_time) FROM (
                SELECT min(received_time) AS received_time FROM @requests WHERE status = 'pending'
                UNION ALL
                SELECT min(received_time) FROM @requests WHERE status = 'in_progress'
              ) AS open) AS oldest`);

  return async (query) => {
    const requests = await readRequests();
    const state = await readState();
    return {
      openRequests: new Map(
        ['pending', 'in_progress'].map((status) => [status, requests.get(status) ?? 0] as const),
      ),
      createdTotal: own.created(requests),
      requestTotals: await readTotals(),
      openTasks: await readTasks(),
      targetTotals: await readTargetTotals(),
      attention: await readAttention(query),
      alarms: await readAlarms(),
      undeliveredAlarms: state?.undelivered ?? 0,
      oldestReceivedTime: state?.oldest ?? null,
      nearestStatutoryDeadline: await readNearest(),
      targetsDown: (await readCircuits(database)).map(({ target }) => target),
      paused: (await readPauses(database)).map(({ scope }) => scope),
      ...(await own.bytes()),
    };
  };
}
