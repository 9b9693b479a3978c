import type { RowMacs } from '../../domain/keys/row-macs.ts';
import type { FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import { createRoundRobin } from '../shared/tasks/due-controllers.ts';
import { createFulfilment } from '../shared/tasks/fulfilment-store.ts';
import type { Database } from './database.ts';
import { freeLostTasks, leaseBatch } from './lease-batch.ts';

export function createFulfilmentStore(database: Database, macs: RowMacs): FulfilmentStore {
  const { transaction } = database.unprepared;
  const roundRobin = createRoundRobin();
  return createFulfilment(database, {
    leaseBatch: (asked) => transaction((sql) => leaseBatch(sql, asked, macs, roundRobin)),
    endAllLeases: () => transaction(freeLostTasks),
  });
}
