import type { RowMacs } from '../../domain/keys/row-macs.ts';
import type { FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import { createTurns } from '../shared/tasks/due-controllers.ts';
import { createFulfilment } from '../shared/tasks/fulfilment-store.ts';
import type { Database } from './database.ts';
import { freeLostTasks, leaseBatch } from './lease-batch.ts';

export function createFulfilmentStore(database: Database, macs: RowMacs): FulfilmentStore {
  const { transaction } = database.unprepared;
  const turns = createTurns();
  return createFulfilment(database, {
    leaseBatch: (asked) => transaction((sql) => leaseBatch(sql, asked, macs, turns)),
    endAllLeases: () => transaction(freeLostTasks),
  });
}
