// For how many rows tasks were released without the looked-up identities that find them, as the audit log says.
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
  // Few tasks are held for it: one at a time.
  for (const task of tasks) {
    const rows = await requestRows(sql, task, 'task.released');
    released.set(task.taskNo, rowsReleasedWithout(target, rows));
  }
  return released;
}
