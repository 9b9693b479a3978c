import type { DatabaseSync } from 'node:sqlite';
import { type DeadlineRow, MOST_LOOKED_AT, nearestOf } from '../nearest-deadline.ts';

const COLUMNS = 'regulation, submitted_time AS submittedTime, received_time AS receivedTime';

export function prepareNearestDeadline(database: DatabaseSync) {
  const select = database.prepare(`
    SELECT * FROM (SELECT ${COLUMNS} FROM watched_requests JOIN requests USING (request_no)
      WHERE status IN ('pending', 'in_progress') ORDER BY next_time LIMIT ${MOST_LOOKED_AT})
    UNION ALL SELECT * FROM (SELECT ${COLUMNS} FROM requests
      WHERE status = 'pending' ORDER BY received_time LIMIT ${MOST_LOOKED_AT})
    UNION ALL SELECT * FROM (SELECT ${COLUMNS} FROM requests
      WHERE status = 'in_progress' ORDER BY received_time LIMIT ${MOST_LOOKED_AT})
  `);
  return (): number | null => nearestOf(select.all() as unknown as DeadlineRow[]);
}
