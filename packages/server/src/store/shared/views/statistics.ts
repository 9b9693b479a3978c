// The counts of the statistics chore and the daily counts, for graphs.
import type { Counted } from '../../../domain/limit/daily-count.ts';
import type { OperatorViews } from '../../../domain/operator/view-ports.ts';
import type { Sql } from '../../sql.ts';

type Statistics = Pick<
  OperatorViews,
  'dailyCounts' | 'arrivals' | 'completionTimes' | 'countedUntil'
>;

export function createStatisticsViews(sql: Sql): Statistics {
  return {
    dailyCounts: (what: readonly Counted[], { from, until }, whose) =>
      sql.all(
        `SELECT day, what, sum(count)::bigint AS count FROM @daily_counts
         WHERE day BETWEEN :from AND :until AND what = ANY(:what::text[])
           AND (:whose::text IS NULL OR whose = :whose)
         GROUP BY day, what ORDER BY day`,
        { what, from, until, whose: whose ?? null },
      ),
    arrivals: ({ from, until }, controllerId) =>
      sql.all(
        `SELECT day, sum(count)::bigint AS count FROM @daily_arrivals
         WHERE day BETWEEN :from AND :until
           AND (:controllerId::text IS NULL OR controller_id = :controllerId)
         GROUP BY day ORDER BY day`,
        { from, until, controllerId: controllerId ?? null },
      ),
    completionTimes: ({ from, until }) =>
      sql.all(
        `SELECT day, duration, count FROM @completion_times
         WHERE day BETWEEN :from AND :until ORDER BY day, duration`,
        { from, until },
      ),
    async countedUntil() {
      const row = await sql.get<{ time: number }>(
        'SELECT counted_time AS time FROM @statistics_progress',
      );
      return row?.time ?? null;
    },
  };
}
