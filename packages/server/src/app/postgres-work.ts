// A worker on PostgreSQL: batches come from pg-boss, the time from the database.

import type { Observe } from '../domain/observation.ts';
import { createManyNodesQueue } from '../queue/many-nodes.ts';
import { createPgBossJobs } from '../queue/pg-boss-jobs.ts';
import type { WorkerMessage } from '../queue/worker-thread.ts';
import { connectionOf } from '../store/postgres/connection.ts';
import type { DatabaseOptions } from '../store/postgres/database.ts';
import { openPostgresWorkStore } from '../store/postgres/open-store.ts';
import { observeTransactions } from '../telemetry/observe-work.ts';
import { createWork, type Work, type WorkSettings } from './work.ts';

export interface PostgresWorkParts {
  readonly options: DatabaseOptions;
  readonly node: string;
  readonly concurrency: number;
  readonly settings: WorkSettings;
  readonly say: (message: WorkerMessage) => void;
  readonly observe: Observe;
}

export async function openPostgresWork(
  parts: PostgresWorkParts,
): Promise<{ readonly work: Work; close(): Promise<void> }> {
  const { options, node, concurrency, settings, say, observe } = parts;
  const connection = {
    connection: connectionOf(options.url),
    schema: options.schema,
    name: `${options.name} queue`,
  };
  const store = await openPostgresWorkStore(options, observeTransactions(observe));
  try {
    const work = await createWork({
      store,
      settings,
      say,
      observe,
      clock: store.clock,
      worker: node,
      createQueue: (queue) =>
        createManyNodesQueue(queue, {
          openJobs: (onTrouble) => createPgBossJobs(connection, onTrouble),
          concurrency,
        }),
    });
    return { work, close: store.close };
  } catch (error) {
    await store.close();
    throw error;
  }
}
