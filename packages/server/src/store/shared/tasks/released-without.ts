// For how many rows tasks were released without the looked-up identities that find them, according to the audit log.
import type { ReleasedTask } from '../../../domain/task/fulfilment-ports.ts';
import { rowsReleasedWithout } from '../../../domain/task/released-rows.ts';
import type { Sql } from '../../sql.ts';
import { requestRows } from '../audit/request-rows.ts';

export async function releasedWithout(
  sql: Sql,
  target: string,
  tasks: readonly ReleasedTask[],
): Promise<Map<number, number>> {
  const released = new Map<number, number>();
  // One at a time, because few tasks are held for this reason.
  for (const task of tasks) {
    const rows = await requestRows(sql, task, 'task.released');
    released.set(task.taskNo, rowsReleasedWithout(target, rows));
  }
  return released;
}
