import { dayOf } from '../../domain/day.ts';
import type { EraseWish, MayErase } from '../../domain/erase-wish.ts';
import { countDaily, holdCounts } from './daily-counts.ts';
import type { Sql } from './database.ts';

/**
 * Inside the caller's transaction, behind the fence. Rows are counted before they are erased: two
 * batches at a time, or a worker that dies after erasing, could otherwise erase more than the day has.
 */
export async function reserveRows(
  sql: Sql,
  target: string,
  wishes: readonly EraseWish[],
  mostRowsADay: number,
  now: number,
): Promise<MayErase['tomorrow']> {
  const reserved = await reservedBefore(sql, wishes, now);
  const counts = await holdCounts(sql, 'rows', [target], now);
  const tomorrow = new Set<number>();
  let left = mostRowsADay - (counts.get(target) ?? 0);
  let sum = 0;
  for (const { taskNo, rows, isReleased } of wishes) {
    const before = reserved.get(taskNo) ?? 0;
    const more = Math.max(0, rows - before);
    if (more > left && !isReleased) {
      tomorrow.add(taskNo);
      continue;
    }
    left -= more;
    sum += more;
    reserved.set(taskNo, before + more);
  }
  const mine = wishes.map(({ taskNo }) => taskNo).filter((taskNo) => !tomorrow.has(taskNo));
  await sql.run(
    `UPDATE @tasks SET reserved_day = $3, reserved_rows = wish.rows
     FROM unnest($1::bigint[], $2::bigint[]) AS wish (task_no, rows)
     WHERE tasks.task_no = wish.task_no`,
    [mine, mine.map((taskNo) => reserved.get(taskNo) ?? 0), dayOf(now)],
  );
  await countDaily(sql, [
    { what: 'rows', whose: target, count: sum, time: now },
    { what: 'deferred', whose: target, count: tomorrow.size, time: now },
  ]);
  return tomorrow;
}

/** The tasks are held before the count is: everybody does so in this order. */
async function reservedBefore(
  sql: Sql,
  wishes: readonly EraseWish[],
  now: number,
): Promise<Map<number, number>> {
  const rows = await sql.all<{ taskNo: number; day: number | null; rows: number | null }>(
    `SELECT task_no AS "taskNo", reserved_day AS day, reserved_rows AS rows FROM @tasks
     WHERE task_no = ANY($1::bigint[]) ORDER BY task_no FOR UPDATE`,
    [wishes.map(({ taskNo }) => taskNo)],
  );
  const today = rows.filter(({ day }) => day === dayOf(now));
  return new Map(today.map(({ taskNo, rows: count }) => [taskNo, count ?? 0]));
}
