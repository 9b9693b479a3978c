import { dayOf } from '../../domain/day.ts';
import { ALL_DAYS, type Counted, type DailyCount } from '../daily-count.ts';
import type { Sql } from './database.ts';

/**
 * Inside the caller's transaction: what is counted is what was committed. Until its end everybody else who
 * counts the same waits, so this comes last; and always in the same order, so that two never wait for
 * each other.
 */
export async function countDaily(sql: Sql, counts: readonly DailyCount[]): Promise<void> {
  const more = counts.filter(({ count }) => count !== 0);
  if (more.length === 0) return;
  await sql.run(
    `INSERT INTO @daily_counts AS kept (day, what, whose, count)
     SELECT day, what, whose, sum(count)::bigint
     FROM (
       SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
       UNION ALL
       SELECT ${ALL_DAYS}, * FROM unnest($2::text[], $3::text[], $4::bigint[])
     ) AS counted (day, what, whose, count)
     GROUP BY day, what, whose
     ORDER BY day DESC, what COLLATE "C", whose COLLATE "C"
     ON CONFLICT (day, what, whose) DO UPDATE SET count = kept.count + excluded.count`,
    [
      more.map(({ time }) => dayOf(time)),
      more.map(({ what }) => what),
      more.map(({ whose }) => whose),
      more.map(({ count }) => count),
    ],
  );
}

/**
 * What was counted so far on the day of `now`. Nobody counts more of it before the end of the caller's
 * transaction: a cap that is decided by these numbers is exact, however many nodes there are.
 */
export async function holdCounts(
  sql: Sql,
  what: Counted,
  whose: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const rows = await sql.all<{ whose: string; count: number }>(
    `INSERT INTO @daily_counts AS kept (day, what, whose, count)
     SELECT DISTINCT $1::bigint, $2::text, whose COLLATE "C", 0 FROM unnest($3::text[]) AS asked (whose)
     ORDER BY 3
     ON CONFLICT (day, what, whose) DO UPDATE SET count = kept.count
     RETURNING whose, count`,
    [dayOf(now), what, whose],
  );
  return new Map(rows.map((row) => [row.whose, row.count]));
}
