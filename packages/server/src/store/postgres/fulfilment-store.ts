import type { FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import { createFulfilment } from '../shared/tasks/fulfilment-store.ts';
import type { Database } from './database.ts';
import { freeLostTasks, leaseBatch } from './lease-batch.ts';

export function createFulfilmentStore(database: Database): FulfilmentStore {
  const { transaction } = database.unprepared;
  return createFulfilment(database, {
    leaseBatch: (asked) => transaction((sql) => leaseBatch(sql, asked)),
    endAllLeases: () => transaction(freeLostTasks),
  });
}
