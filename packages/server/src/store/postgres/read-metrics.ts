import type { StoreMetrics } from '../../domain/metrics-ports.ts';
import type { AttentionQuery } from '../../domain/operator-ports.ts';
import type { ReadMetrics } from '../../domain/store.ts';
import { ALL_DAYS } from '../daily-count.ts';
import { remembered } from '../remembered.ts';
import { readNearestDeadline } from '../shared/alarms/nearest-deadline.ts';
import { prepareCountAttention } from './attention.ts';
import { prepareBrakes } from './brakes.ts';
import { prepareCircuits } from './circuits.ts';
import type { Database } from './database.ts';

/** Open tasks beyond that are not counted: it would take longer than a scrape may. */
const MOST_COUNTED = 20_000;

interface Counted {
  readonly name: string;
  readonly count: number;
}

export function createReadMetrics(database: Database): ReadMetrics {
  const countAttention = prepareCountAttention(database);
  const { circuits } = prepareCircuits(database);
  const brakes = prepareBrakes(database);

  async function counted(text: string): Promise<Map<string, number>> {
    const rows = await database.all<Counted>(text);
    return new Map(rows.map(({ name, count }) => [name, count]));
  }

  // Numbers of requests have gaps. What was created is pending, or was started or cancelled once; read
  // together, so that the sum never goes back.
  const readRequests = remembered(() =>
    counted(`
      SELECT 'pending' AS name, count(*) AS count FROM @requests WHERE status = 'pending'
      UNION ALL
      SELECT 'in_progress', count(*) FROM @requests WHERE status = 'in_progress'
      UNION ALL
      SELECT 'moved_on', coalesce(sum(count), 0)::bigint FROM @daily_counts
      WHERE day = ${ALL_DAYS} AND what IN ('starts', 'cancelled')`),
  );
  const readTasks = remembered(() =>
    database.all<StoreMetrics['openTasks'][number]>(`
      SELECT target, state, count(*) AS count
      FROM (SELECT target, state FROM @tasks WHERE state <> 'erased' LIMIT ${MOST_COUNTED}) AS open
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
  const readAlarms = remembered(() =>
    counted('SELECT kind AS name, count(*) AS count FROM @alarms GROUP BY kind'),
  );
  const readAttention = remembered((query: Omit<AttentionQuery, 'limit'>) => countAttention(query));
  const readNearest = remembered(() => readNearestDeadline(database));
  const readState = () =>
    database.get<{ undelivered: number; oldest: number | null }>(`
      SELECT (SELECT count(*) FROM @alarms WHERE delivered_time IS NULL) AS undelivered,
             least((SELECT min(received_time) FROM @requests WHERE status = 'pending'),
                   (SELECT min(received_time) FROM @requests WHERE status = 'in_progress')) AS oldest`);
  const readBytes = remembered(() =>
    database.get<{ bytes: number }>(
      `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes
       FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relkind = 'r'`,
      [database.schema],
    ),
  );

  return async (query) => {
    const requests = await readRequests();
    const state = await readState();
    const countOf = (name: string) => requests.get(name) ?? 0;
    return {
      openRequests: new Map(
        ['pending', 'in_progress'].map((status) => [status, countOf(status)] as const),
      ),
      createdTotal: countOf('pending') + countOf('moved_on'),
      requestTotals: await readTotals(),
      openTasks: await readTasks(),
      targetTotals: await readTargetTotals(),
      attention: await readAttention(query),
      alarms: await readAlarms(),
      undeliveredAlarms: state?.undelivered ?? 0,
      oldestReceivedTime: state?.oldest ?? null,
      nearestStatutoryDeadline: await readNearest(),
      targetsDown: (await circuits()).map(({ target }) => target),
      paused: (await brakes()).map(({ scope }) => scope),
      // Its server looks after it.
      walBytes: null,
      databaseBytes: (await readBytes())?.bytes ?? 0,
    };
  };
}
