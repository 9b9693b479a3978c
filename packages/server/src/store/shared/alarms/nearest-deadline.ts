import { MAX_LOOKED_AT, nearestOf } from '../../../domain/deadline/nearest-deadline.ts';
import type { LawFacts } from '../../../domain/deadline/statutory-deadline.ts';
import type { Sql } from '../../sql.ts';

const COLUMNS = `regulation, submitted_time AS "submittedTime", received_time AS "receivedTime",
  extended_until AS "extendedUntil"`;

const PARTS = [
  `SELECT ${COLUMNS} FROM @watched_requests JOIN @requests USING (request_no)
   WHERE status IN ('pending', 'in_progress') ORDER BY next_time LIMIT ${MAX_LOOKED_AT}`,
  ...['pending', 'in_progress'].map(
    (status) => `SELECT ${COLUMNS} FROM @requests
      WHERE status = '${status}' ORDER BY received_time LIMIT ${MAX_LOOKED_AT}`,
  ),
];
const NEAREST = PARTS.map((part) => `SELECT * FROM (${part}) AS part`).join(' UNION ALL ');

export async function readNearestDeadline(sql: Sql): Promise<number | null> {
  return nearestOf(await sql.all<LawFacts>(NEAREST));
}
