import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../domain/day.ts';
import type { EraseWish, MayErase } from '../../domain/erase-wish.ts';
import { type CountDaily, prepareDailyCount } from './daily-counts.ts';

/**
 * Inside the caller's transaction, behind the fence. Rows are counted before they are erased: two
 * batches at a time, or a worker that dies after erasing, could otherwise erase more than the day has.
 */
export function prepareReserveRows(database: DatabaseSync, countDaily: CountDaily) {
  const dailyCount = prepareDailyCount(database);
  const reserved = database.prepare(
    'SELECT reserved_rows AS rows FROM tasks WHERE task_no = ? AND reserved_day = ?',
  );
  const reserve = database.prepare(
    'UPDATE tasks SET reserved_day = ?, reserved_rows = ? WHERE task_no = ?',
  );

  return (
    target: string,
    wishes: readonly EraseWish[],
    mostRowsADay: number,
    now: number,
  ): MayErase['tomorrow'] => {
    const tomorrow = new Set<number>();
    let left = mostRowsADay - dailyCount('rows', target, now);
    for (const { taskNo, rows, isReleased } of wishes) {
      const before = reserved.get(taskNo, dayOf(now)) as { rows: number } | undefined;
      const more = Math.max(0, rows - (before?.rows ?? 0));
      if (more > left && !isReleased) {
        tomorrow.add(taskNo);
        continue;
      }
      left -= more;
      reserve.run(dayOf(now), (before?.rows ?? 0) + more, taskNo);
      countDaily('rows', target, more, now);
    }
    if (tomorrow.size > 0) countDaily('deferred', target, tomorrow.size, now);
    return tomorrow;
  };
}
