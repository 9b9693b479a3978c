import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { StoreMetrics } from '../../domain/metrics-ports.ts';
import type { AttentionQuery } from '../../domain/operator-ports.ts';
import type { ReadMetrics } from '../../domain/store.ts';
import { ALL_DAYS } from '../daily-count.ts';
import { remembered } from '../remembered.ts';
import { readNearestDeadline } from '../shared/alarms/nearest-deadline.ts';
import { prepareCountAttention } from './attention.ts';
import { prepareBrakes } from './brakes.ts';
import { prepareCircuits } from './circuits.ts';
import { databaseOn } from './database.ts';

/** Open tasks beyond that are not counted: it would take longer than a scrape may. */
const MOST_COUNTED = 20_000;

type Counted = { readonly name: string; readonly count: number }[];

/** On the connection that the server reads with, so nothing here may take long: see remembered(). */
export function createReadMetrics(database: DatabaseSync, databasePath: string): ReadMetrics {
  const open = database.prepare(`
    SELECT 'pending' AS name, count(*) AS count FROM requests WHERE status = 'pending'
    UNION ALL
    SELECT 'in_progress', count(*) FROM requests WHERE status = 'in_progress'
  `);
  const created = database.prepare('SELECT coalesce(max(request_no), 0) AS count FROM requests');
  const totals = database.prepare(`
    SELECT what AS name, sum(count) AS count FROM daily_counts
    WHERE day = ${ALL_DAYS} AND what IN ('starts', 'completed', 'cancelled', 'nowhere') GROUP BY what
  `);
  const targetTotals = database.prepare(`
    SELECT whose AS target, what, count FROM daily_counts
    WHERE day = ${ALL_DAYS} AND what IN ('tasks', 'not_found', 'rows') ORDER BY whose, what
  `);
  const openTasks = database.prepare(`
    SELECT target, state, count(*) AS count
    FROM (SELECT target, state FROM tasks WHERE state <> 'erased' LIMIT ${MOST_COUNTED})
    GROUP BY target, state
  `);
  const alarms = database.prepare(
    'SELECT kind AS name, count(*) AS count FROM alarms GROUP BY kind',
  );
  const undelivered = database.prepare(
    'SELECT count(*) AS count FROM alarms WHERE delivered_time IS NULL',
  );
  const oldest = database.prepare(`
    SELECT min(received_time) AS time FROM (
      SELECT min(received_time) AS received_time FROM requests WHERE status = 'pending'
      UNION ALL
      SELECT min(received_time) FROM requests WHERE status = 'in_progress')
  `);
  const countAttention = prepareCountAttention(database);
  const { circuits } = prepareCircuits(database);
  const brakes = prepareBrakes(database);
  const count = (row: unknown) => (row as { count: number }).count;

  const readOpen = remembered(async () => mapOf(open.all()));
  const readTasks = remembered(async () => openTasks.all() as unknown as StoreMetrics['openTasks']);
  const readAttention = remembered(async (query: Omit<AttentionQuery, 'limit'>) =>
    countAttention(query),
  );
  const readNearest = remembered(() => readNearestDeadline(databaseOn(database)));
  const readAlarms = remembered(async () => mapOf(alarms.all()));

  return async (query) => ({
    openRequests: await readOpen(),
    createdTotal: count(created.get()),
    requestTotals: mapOf(totals.all()),
    openTasks: await readTasks(),
    targetTotals: targetTotals.all() as unknown as StoreMetrics['targetTotals'],
    attention: await readAttention(query),
    alarms: await readAlarms(),
    undeliveredAlarms: count(undelivered.get()),
    oldestReceivedTime: (oldest.get() as { time: number | null }).time,
    nearestStatutoryDeadline: await readNearest(),
    targetsDown: circuits().map(({ target }) => target),
    paused: brakes().map(({ scope }) => scope),
    walBytes: sizeOf(`${databasePath}-wal`),
    databaseBytes: sizeOf(databasePath),
  });
}

function mapOf(rows: unknown): Map<string, number> {
  return new Map((rows as Counted).map(({ name, count }) => [name, count]));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
