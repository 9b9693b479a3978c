// The embedded store: one file, and what a server needs for it: the writer thread, truncation of the
// write-ahead log, and a worker that runs only while there is work.
import { createFailureThrottle } from '../auth/throttle-failures.ts';
import type { Config } from '../config/config.ts';
import { StoreUnavailable } from '../domain/store/store-unavailable.ts';
import { entryBeside } from '../files/own-files.ts';
import { startWorkerThread } from '../queue/worker-thread.ts';
import { createCheckpointer } from '../store/sqlite/checkpointer.ts';
import { refuseCopied } from '../store/sqlite/copied-mark.ts';
import { createHasWork } from '../store/sqlite/has-work.ts';
import { createDueStore, openSqliteStore, type SqliteStore } from '../store/sqlite/open-store.ts';
import { createRequestStore } from '../store/sqlite/request-store.ts';
import {
  createIsReplaced,
  requireNewestRows,
  requireWhole,
} from '../store/sqlite/require-whole.ts';
import { startWriterThread } from '../store/sqlite/writer-thread.ts';
import type { WriteOp } from '../store/write-ops.ts';
import { createFewLines } from '../telemetry/few-lines.ts';
import { observeWrites } from '../telemetry/observe-work.ts';
import { createDueChores } from './chores.ts';
import type { OpenedStore, ServeParts, Serving, WorkerParts } from './serving.ts';
import type { WorkerOptions } from './worker.ts';

/** A minute. */
const MAX_FAILURE_LINES = 10;
const REPLACED =
  'another file is in the place of unwrite.db, and what is written now would be lost: restart the server';

export function openSqlite(config: Config): OpenedStore {
  const store = openSqliteStore(config.dataDir, Date.now);
  return {
    store,
    async serve(parts) {
      requireNewestRows(store.databasePath, store.reader);
      refuseCopied(config.dataDir, store.reader);
      return serveFromSqlite(store, parts);
    },
  };
}

async function serveFromSqlite(
  store: SqliteStore,
  { vaultKeys, log, observe }: ServeParts,
): Promise<Serving> {
  const { databasePath, reader, clock } = store;
  const failures = createFewLines(log, MAX_FAILURE_LINES);
  const writer = await startWriterThread(
    entryBeside(import.meta.url, 'writer'),
    { databasePath, masterKeys: vaultKeys.masterKeys },
    (reason) => failures('error', { reason }, 'the store could not be written'),
  );
  const checkpointer = createCheckpointer({ databasePath }, writer.checkpoint);
  const isReplaced = createIsReplaced(databasePath);
  async function write(ops: WriteOp[]) {
    const outcomes = await writer.run(ops);
    if (isReplaced()) throw new StoreUnavailable(REPLACED);
    return outcomes;
  }
  const requests = createRequestStore(reader, write, checkpointer, observeWrites(observe));
  const due = createDueStore(reader);
  const hasBatches = createHasWork(reader);

  function startWorker({ settings, stopped }: WorkerParts) {
    let inForce = settings();
    let dueChores = createDueChores(due, inForce.chores);
    const options = (): WorkerOptions => ({
      store: { kind: 'sqlite', databasePath },
      work: settings(),
    });
    const thread = startWorkerThread({
      entry: entryBeside(import.meta.url, 'worker'),
      options,
      async hasWork() {
        const now = clock();
        if (await hasBatches(now - inForce.cancellationWindowMs, now)) return true;
        for (const chore of dueChores) if (await chore.isDue(now)) return true;
        return false;
      },
      lookMs: inForce.intervals.worker,
      shredded: checkpointer.shredded,
      working: checkpointer.copyLongLog,
      stopped,
      observe,
      log: (level, fields, message) => log[level](fields, message),
    });
    return {
      ...thread,
      renew() {
        inForce = settings();
        dueChores = createDueChores(due, inForce.chores);
        thread.renew();
      },
    };
  }

  return {
    requests,
    throttle: createFailureThrottle(() => performance.now()),
    apiNodes: () => 1,
    masterKeys: due.masterKeys.masterKeys,
    troubles() {
      const reasons: string[] = [];
      if (!writer.isAlive()) reasons.push('the writer of the store is down');
      if (isReplaced()) reasons.push(REPLACED);
      if (writer.failedLately()) reasons.push('the store could not be written');
      return reasons;
    },
    requireWhole: () => requireWhole(databasePath),
    useKeys: writer.useKeys,
    async openMetrics() {
      const { createReadMetrics } = await import('../store/sqlite/read-metrics.ts');
      return createReadMetrics(reader, databasePath);
    },
    startWorker,
    // No other version migrates a store with which this one then could not work, while this server runs.
    outdated: new Promise(() => undefined),
    drain: () => undefined,
    async close() {
      await requests.drained();
      await writer.close();
      await checkpointer.close();
    },
  };
}
