import { ALL_DAYS, type Counted, type DailyCount } from '../../../domain/limit/daily-count.ts';
import { dayOf } from '../../../domain/limit/day.ts';
import { rowsOf, type Sql } from '../../sql.ts';

/** Larger counts are not exact as a JavaScript number, so they are capped. */
const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** For an INSERT INTO daily_counts AS kept. */
export const ADD_TO_COUNT = `ON CONFLICT (day, what, whose) DO UPDATE SET count =
  CASE WHEN kept.count > ${MAX_COUNT} - excluded.count THEN ${MAX_COUNT}
       ELSE kept.count + excluded.count END`;

/**
 * Runs in the caller's transaction, so that only committed work is counted. Until it ends, all others that
 * add to the same counts wait, so this comes last; and always in the same order, to avoid deadlocks.
 */
export async function countDaily(sql: Sql, counts: readonly DailyCount[]): Promise<void> {
  const sums = sumsOf(counts);
  if (sums.length === 0) return;
  await sql.run(
    `INSERT INTO @daily_counts AS kept (day, what, whose, count)
     SELECT day, what, whose, count FROM json_to_recordset(:sums::json)
       AS more (day bigint, what text, whose text, count bigint)
     WHERE true ${ADD_TO_COUNT}`,
    { sums: rowsOf(sums) },
  );
}

interface Sum {
  readonly day: number;
  readonly what: Counted;
  readonly whose: string;
  count: number;
}

/** The sums for each day, and for all days together. */
function sumsOf(counts: readonly DailyCount[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { what, whose, count, time } of counts) {
    if (count === 0) continue;
    for (const day of [dayOf(time), ALL_DAYS]) {
      const key = `${day} ${what} ${whose}`;
      const sum = sums.get(key) ?? { day, what, whose, count: 0 };
      sum.count = Math.min(sum.count + count, MAX_COUNT);
      sums.set(key, sum);
    }
  }
  return [...sums.values()].sort(
    (a, b) => b.day - a.day || compare(a.what, b.what) || compare(a.whose, b.whose),
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * The counts so far on the day of `now`. They are locked until the end of the caller's transaction, so a
 * limit that is decided by these numbers is exact on any number of nodes.
 */
export async function lockCounts(
  sql: Sql,
  what: Counted,
  whose: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const asked = [...new Set(whose)].sort().map((one) => ({ whose: one }));
  const rows = await sql.all<{ whose: string; count: number }>(
    `INSERT INTO @daily_counts AS kept (day, what, whose, count)
     SELECT :day::bigint, :what::text, whose, 0
     FROM json_to_recordset(:asked::json) AS asked (whose text)
     WHERE true
     ON CONFLICT (day, what, whose) DO UPDATE SET count = kept.count
     RETURNING whose, CASE WHEN count > ${MAX_COUNT} THEN ${MAX_COUNT} ELSE count END AS count`,
    { day: dayOf(now), what, asked: rowsOf(asked) },
  );
  return new Map(rows.map((row) => [row.whose, row.count]));
}

export async function readDailyCount(
  sql: Sql,
  what: Counted,
  whose: string,
  now: number,
): Promise<number> {
  const row = await sql.get<{ count: number }>(
    'SELECT count FROM @daily_counts WHERE day = :day AND what = :what AND whose = :whose',
    { day: dayOf(now), what, whose },
  );
  return row?.count ?? 0;
}
