import type { DatabaseSync } from 'node:sqlite';
import type { RowMacs } from '../../domain/keys/row-macs.ts';
import type { FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import { createFulfilment } from '../shared/tasks/fulfilment-store.ts';
import { readBatch } from '../shared/tasks/lease-statements.ts';
import { databaseOn } from './database.ts';
import { prepareEndLeases, prepareLeaseBatch } from './lease-batch.ts';
import { inTransaction } from './transaction.ts';

/** Uses its own connection: short transactions between those of the writer thread. */
export function createFulfilmentStore(connection: DatabaseSync, macs: RowMacs): FulfilmentStore {
  const database = databaseOn(connection);
  const lease = prepareLeaseBatch(connection);
  const endLeases = prepareEndLeases(connection);

  // A lease that is lost in a power cut does no harm: its tasks are still waiting. So it is not synced; the
  // intent that follows is, and with it everything before.
  function withoutSync<T>(work: () => T): T {
    connection.exec('PRAGMA synchronous = NORMAL');
    try {
      return inTransaction(connection, work);
    } finally {
      connection.exec('PRAGMA synchronous = FULL');
    }
  }

  return createFulfilment(database, {
    async leaseBatch(asked) {
      const batch = await database.alone(() => withoutSync(() => lease(asked)));
      return batch && readBatch(database, database.transaction, batch, asked, macs);
    },
    endAllLeases: () => database.alone(() => inTransaction(connection, endLeases)),
  });
}
