import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ReadMetrics } from '../../domain/store/store.ts';
import { createMetricsReader } from '../shared/metrics/read-metrics.ts';
import { databaseOn } from './database.ts';

export function createReadMetrics(connection: DatabaseSync, databasePath: string): ReadMetrics {
  return createMetricsReader(databaseOn(connection), {
    // Numbers of requests have no gaps.
    countsForCreated: `SELECT 'created', coalesce(max(request_no), 0) FROM @requests`,
    created: (requests) => requests.get('created') ?? 0,
    bytes: async () => ({
      walBytes: sizeOf(`${databasePath}-wal`),
      databaseBytes: sizeOf(databasePath),
    }),
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
