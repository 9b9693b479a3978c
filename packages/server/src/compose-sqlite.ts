// What a server has of SQLite beside the store itself: the writer's thread, and the log that is cut
// behind it.

import type { DueStore, ReadMetrics, ServingStore } from './domain/store.ts';
import { createCheckpointer } from './store/sqlite/checkpointer.ts';
import { createDueStore } from './store/sqlite/due-store.ts';
import type { SqliteStore } from './store/sqlite/open-store.ts';
import { createRequestStore } from './store/sqlite/request-store.ts';
import { prepareHasWork } from './store/sqlite/targets-with-work.ts';
import { startWriterThread } from './store/sqlite/writer-thread.ts';
import type { VaultKeys } from './vault/load-keys.ts';

export interface Serving {
  readonly requests: ServingStore;
  readonly due: DueStore;
  /** Whether a worker would find anything to start or to erase; costs next to nothing. */
  hasWork(receivedBefore: number, now: number): Promise<boolean>;
  /** Why it cannot be written, if so. */
  troubles(): string[];
  /** Seals with the first of these from then on; answers whether it does. */
  useKeys(masterKeys: readonly Uint8Array[]): Promise<boolean>;
  /** Something was deleted that must not stay in the store's log. */
  shredded(): void;
  openMetrics(): Promise<ReadMetrics>;
  /** When everything that was accepted is durable. */
  close(): Promise<void>;
}

export async function serveFromSqlite(
  store: SqliteStore,
  vaultKeys: VaultKeys,
  onFailure: (reason: string) => void,
): Promise<Serving> {
  const { databasePath, reader } = store;
  const writer = await startWriterThread(
    new URL('./writer.ts', import.meta.url),
    { databasePath, masterKeys: vaultKeys.masterKeys },
    onFailure,
  );
  const checkpointer = createCheckpointer({ databasePath }, writer.checkpoint);
  const requests = createRequestStore(reader, writer.run, checkpointer);
  const hasWork = prepareHasWork(reader);
  return {
    requests,
    due: createDueStore(reader),
    hasWork: async (receivedBefore, now) => hasWork(receivedBefore, now),
    troubles() {
      const reasons: string[] = [];
      if (!writer.isAlive()) reasons.push('the writer of the store is down');
      if (writer.failedLately()) reasons.push('the store could not be written');
      return reasons;
    },
    useKeys: writer.useKeys,
    shredded: checkpointer.shredded,
    async openMetrics() {
      const { createReadMetrics } = await import('./store/sqlite/read-metrics.ts');
      return createReadMetrics(reader, databasePath);
    },
    async close() {
      await requests.drained();
      await writer.close();
      await checkpointer.close();
    },
  };
}
