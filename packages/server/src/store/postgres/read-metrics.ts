import { ALL_DAYS } from '../../domain/limit/daily-count.ts';
import type { ReadMetrics } from '../../domain/store/store.ts';
import { cached } from '../shared/metrics/cached.ts';
import { createMetricsReader } from '../shared/metrics/read-metrics.ts';
import type { Database } from './database.ts';

export function createReadMetrics(database: Database): ReadMetrics {
  const readBytes = cached(() =>
    database.get<{ bytes: number }>(
      `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes
       FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
       WHERE n.nspname = :schema AND c.relkind = 'r'`,
      { schema: database.schema },
    ),
  );
  return createMetricsReader(database, {
    // Request numbers have gaps, so created requests are counted as: pending ones, plus those that were started
    // or cancelled. Both are read in one statement, so that the sum never decreases.
    countsForCreated: `SELECT 'moved_on', coalesce(sum(count), 0)::bigint FROM @daily_counts
      WHERE day = ${ALL_DAYS} AND what IN ('starts', 'cancelled')`,
    created: (requests) => (requests.get('pending') ?? 0) + (requests.get('moved_on') ?? 0),
    // The database server manages its own write-ahead log.
    bytes: async () => ({ walBytes: null, databaseBytes: (await readBytes())?.bytes ?? 0 }),
  });
}
