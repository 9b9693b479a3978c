// Not shared, because only PostgreSQL has an archive. Old final requests leave the table that creates and starts work
// on, in short transactions, concurrently with everything else: a locked one is left for the next time.
import type { RequestArchive } from '../../domain/request/forgetting-ports.ts';
import type { Database } from './database.ts';

/** By name, because the columns of the two tables may be in a different order. A test compares them. */
export const COLUMNS = `request_no, controller_id, subject_request_id, request_uuid, status, regulation,
  submitted_time, received_time, created_by, cancelled_time, identity_count, started_time,
  completed_time, plan_id, start_asked_by, receipted_time, again_asked_time, shredded_time,
  extended_until, created_mac`;

const FINAL_TIME = 'coalesce(completed_time, cancelled_time)';

/**
 * The same condition as in the index requests_to_archive. The only thing that still happens to such a
 * request is that it is forgotten.
 */
const DUE = `${FINAL_TIME} <= :finalUntil AND again_asked_time IS NULL
  AND (status = 'cancelled'
    OR status = 'completed' AND receipted_time IS NOT NULL
      AND (shredded_time IS NOT NULL OR identity_count = 0))`;

export function createRequestArchive(database: Database): RequestArchive {
  return {
    async anyToArchive(finalUntil) {
      // Ask for the oldest: with "any", PostgreSQL may scan all requests for it.
      const due = await database.get(
        `SELECT 1 FROM @requests WHERE ${DUE} ORDER BY ${FINAL_TIME} LIMIT 1`,
        { finalUntil },
      );
      return due !== undefined;
    },
    archive: (finalUntil, max) =>
      database.run(
        `WITH due AS MATERIALIZED (
           SELECT request_no FROM @requests WHERE ${DUE}
           ORDER BY ${FINAL_TIME} LIMIT :max FOR UPDATE SKIP LOCKED
         ), moved AS (
           DELETE FROM @requests AS requests USING due
           WHERE requests.request_no = due.request_no RETURNING requests.*
         )
         INSERT INTO @archived_requests (${COLUMNS}) SELECT ${COLUMNS} FROM moved`,
        { finalUntil, max },
      ),
  };
}
