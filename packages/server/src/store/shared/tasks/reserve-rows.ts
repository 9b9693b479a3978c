import { dayOf } from '../../../domain/limit/day.ts';
import * as rules from '../../../domain/task/reserve-rows.ts';
import type { MayErase, RowReservation } from '../../../domain/task/row-reservation.ts';
import { rowsOf, type Sql } from '../../sql.ts';
import { countDaily, lockCounts } from './daily-counts.ts';

/** Runs in the caller's transaction, after the fence was checked. */
export async function reserveRows(
  sql: Sql,
  target: string,
  asked: readonly RowReservation[],
  maxRowsPerDay: number,
  now: number,
): Promise<MayErase['tomorrow']> {
  const before = await reservedBefore(sql, asked, now);
  const counted = (await lockCounts(sql, 'rows', [target], now)).get(target) ?? 0;
  const { reserved, tomorrow, more } = rules.reserveRows(asked, before, { maxRowsPerDay, counted });
  await sql.run(
    `UPDATE @tasks SET reserved_day = :day, reserved_rows = mine.rows
     FROM json_to_recordset(:mine::json) AS mine ("taskNo" bigint, rows bigint)
     WHERE tasks.task_no = mine."taskNo"`,
    {
      mine: rowsOf([...reserved].map(([taskNo, rows]) => ({ taskNo, rows }))),
      day: dayOf(now),
    },
  );
  await countDaily(sql, [
    { what: 'rows', whose: target, count: more, time: now },
    { what: 'deferred', whose: target, count: tomorrow.size, time: now },
  ]);
  return tomorrow;
}

/** The tasks are locked before the count, everywhere in this order. */
async function reservedBefore(
  sql: Sql,
  asked: readonly RowReservation[],
  now: number,
): Promise<Map<number, number>> {
  const rows = await sql.all<{ taskNo: number; day: number | null; rows: number | null }>(
    `SELECT task_no AS "taskNo", reserved_day AS day, reserved_rows AS rows FROM @tasks
     WHERE task_no = ANY(:taskNos::bigint[]) ORDER BY task_no FOR UPDATE`,
    { taskNos: asked.map(({ taskNo }) => taskNo) },
  );
  const today = rows.filter(({ day }) => day === dayOf(now));
  return new Map(today.map(({ taskNo, rows: count }) => [taskNo, count ?? 0]));
}
