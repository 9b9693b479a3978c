import type { ClosingStore } from '../../../domain/receipt/closing.ts';
import type { Database } from '../../sql.ts';

interface Row {
  readonly pending: number;
  readonly inProgress: number;
  readonly kept: number;
  readonly lastEndedTime: number | null;
}

export function createClosingStore(database: Database): ClosingStore {
  return {
    async standing(controllerId) {
      const row = await database.get<Row>(
        `SELECT coalesce(sum(CASE WHEN status = 'pending' THEN 1 ELSE 0 END), 0)::bigint AS pending,
                coalesce(sum(CASE WHEN status = 'in_progress' OR again_asked_time IS NOT NULL
                  THEN 1 ELSE 0 END), 0)::bigint AS "inProgress",
                count(*) AS kept, max(coalesce(completed_time, cancelled_time)) AS "lastEndedTime"
         FROM @all_requests WHERE controller_id = :controllerId`,
        { controllerId },
      );
      const { pending = 0, inProgress = 0, kept = 0, lastEndedTime = null } = row ?? {};
      return { open: { pending, inProgress }, kept, lastEndedTime };
    },
  };
}
