import type { DatabaseSync } from 'node:sqlite';
import type { WatchedRequest } from '../../domain/alarm-ports.ts';
import { statutoryLimit } from '../../domain/statutory-deadline.ts';

/**
 * Of those that are watched, and of the oldest that are not yet: whoever submitted long before is
 * watched from the beginning, and for the others age decides, give or take the length of a month.
 */
const MOST_LOOKED_AT = 500;
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
  type Row = Pick<WatchedRequest, 'regulation' | 'submittedTime' | 'receivedTime'>;
  return (): number | null =>
    (select.all() as unknown as Row[]).reduce<number | null>((nearest, row) => {
      const { end } = statutoryLimit(row.regulation, row.submittedTime, row.receivedTime);
      return nearest === null || end < nearest ? end : nearest;
    }, null);
}
