import { type DeadlineRow, MOST_LOOKED_AT, nearestOf } from '../nearest-deadline.ts';
import type { Sql } from './database.ts';

const COLUMNS = `regulation, submitted_time AS "submittedTime", received_time AS "receivedTime"`;

export async function readNearestDeadline(sql: Sql): Promise<number | null> {
  const rows = await sql.all<DeadlineRow>(`
    (SELECT ${COLUMNS} FROM @watched_requests JOIN @requests USING (request_no)
     WHERE status IN ('pending', 'in_progress') ORDER BY next_time LIMIT ${MOST_LOOKED_AT})
    UNION ALL (SELECT ${COLUMNS} FROM @requests
      WHERE status = 'pending' ORDER BY received_time LIMIT ${MOST_LOOKED_AT})
    UNION ALL (SELECT ${COLUMNS} FROM @requests
      WHERE status = 'in_progress' ORDER BY received_time LIMIT ${MOST_LOOKED_AT})`);
  return nearestOf(rows);
}
