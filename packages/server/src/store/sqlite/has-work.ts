import type { DatabaseSync } from 'node:sqlite';
import { NOT_WENT_BACK } from '../shared/restores/went-back.ts';
import { NOT_PAUSED } from '../shared/tasks/pauses.ts';
import { targetsWithWork } from '../shared/tasks/targets-with-work.ts';
import { databaseOn } from './database.ts';

export type HasWork = (receivedBefore: number, now: number) => Promise<boolean>;

/**
 * Whether a worker would find anything to do. Called every second while no worker is running, so it must be
 * cheap. A batch that exists then belongs to a dead worker, even if its lease has not expired. Only for SQLite: on
 * PostgreSQL the queue says where there may be work.
 */
export function createHasWork(connection: DatabaseSync): HasWork {
  const database = databaseOn(connection);
  return async (receivedBefore, now) => {
    const row = await database.get<{ due: 0 | 1 }>(
      `SELECT ${NOT_WENT_BACK} AND (
            EXISTS (SELECT 1 FROM @requests
              WHERE status = 'pending' AND received_time <= :receivedBefore)
            OR EXISTS (SELECT 1 FROM @requests
              WHERE status = 'pending' AND start_asked_by IS NOT NULL)
            OR EXISTS (SELECT 1 FROM @requests WHERE status = 'in_progress' AND plan_id IS NULL))
          OR EXISTS (SELECT 1 FROM @batches WHERE ${NOT_PAUSED}) AS due`,
      { receivedBefore },
    );
    return row?.due === 1 || (await targetsWithWork(database, now)).length > 0;
  };
}
