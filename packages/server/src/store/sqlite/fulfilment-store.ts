import type { DatabaseSync } from 'node:sqlite';
import type { RowMacs } from '../../domain/keys/row-macs.ts';
import type { FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import { createFulfilment } from '../shared/tasks/fulfilment-store.ts';
import { holdUnfit } from '../shared/tasks/hold-unfit.ts';
import { readLeasedTasks } from '../shared/tasks/leased-tasks.ts';
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
      if (batch === undefined) return undefined;
      const { target, now: leasedTime } = asked;
      const { batchNo } = batch;
      const { tasks, unfit } = await readLeasedTasks(database, batchNo, macs);
      if (unfit.length > 0) {
        await database.transaction((sql) => holdUnfit(sql, batchNo, unfit, leasedTime));
        if (tasks.length === 0) return undefined;
      }
      return { ...batch, target, leasedTime, tasks };
    },
    endAllLeases: () => database.alone(() => inTransaction(connection, endLeases)),
  });
}
