// For how many rows tasks were released without the looked-up identities that find them, and which without a lookup, according
// to the audit log.
import type { HoldReason } from '../../../domain/target/connector.ts';
import type { ReleasedTask } from '../../../domain/task/fulfilment-ports.ts';
import { isReleasedFrom, rowsKeptByLastRelease } from '../../../domain/task/released-rows.ts';
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
    released.set(task.taskNo, rowsKeptByLastRelease(target, rows));
  }
  return released;
}

export async function releasedWithoutLookup(
  sql: Sql,
  tasks: readonly ReleasedTask[],
): Promise<Set<number>> {
  const released = new Set<number>();
  for (const task of tasks) {
    const rows = await requestRows(sql, task, 'task.released');
    if (isReleasedFrom(task.taskNo, LOOKUP_REMOVED, rows)) released.add(task.taskNo);
  }
  return released;
}

const LOOKUP_REMOVED: HoldReason = 'lookup_removed';
