// Requests that are near their deadlines. Each is found once, by its age or because it was submitted long
// before it was received; from then on it has a time for its next check.
import type { NewAlarm } from '../../../domain/alarm/alarm.ts';
import type { LookedAt, WatchedRequest, WatchStore } from '../../../domain/alarm/alarm-ports.ts';
import { mayLookAtNew, watchedUntil } from '../../../domain/deadline/watch.ts';
import { type Database, rowsOf, type Sql } from '../../sql.ts';
import { requestsOnHold } from '../legal-holds/on-hold.ts';
import { enrolInDeadlineWatch } from './enrol-in-deadline-watch.ts';
import { raiseDeadlines } from './raise-deadlines.ts';

const PAGE = 5000;

type DueRow =
  | Omit<WatchedRequest, 'isOnHold'>
  | { readonly requestNo: number; readonly isOpen: null };

interface DueParts {
  readonly isDue: boolean | 0 | 1 | null;
  readonly hasNew: boolean | 0 | 1 | null;
  readonly lookedTime: number;
}

export function createWatchStore(database: Database): WatchStore {
  return {
    async hasToLook(now) {
      // Ask for the first of each kind: with "any", PostgreSQL may scan all requests, and it does not know
      // that hardly any of them is being erased again.
      const row = await database.get<DueParts>(
        `SELECT (SELECT min(next_time) FROM @watched_requests) <= :now
            OR (SELECT min(received_time) FROM @requests
                WHERE status = 'pending' AND received_time > seen_received) <= :until
            OR (SELECT min(received_time) FROM @requests
                WHERE status = 'in_progress' AND received_time > seen_received) <= :until
            OR EXISTS (SELECT 1 FROM @requests AS again
              WHERE again_asked_time IS NOT NULL AND again_asked_time <= :until AND NOT EXISTS (
                SELECT 1 FROM @watched_requests AS watched
                WHERE watched.request_no = again.request_no)) AS "isDue",
            seen_request_no < (SELECT max(request_no) FROM @requests) AS "hasNew",
            looked_time AS "lookedTime"
         FROM @alarm_progress`,
        { now, until: watchedUntil(now) },
      );
      // Looking makes the row anew.
      if (row === undefined) return true;
      return Boolean(row.isDue) || (Boolean(row.hasNew) && mayLookAtNew(row.lookedTime, now));
    },
    // Enrolling locks the progress row, so that two nodes run one after the other.
    look: (now, lookAt) =>
      database.unprepared.transaction(async (sql) => {
        await enrolInDeadlineWatch(sql, now);
        return lookAtDue(sql, now, lookAt);
      }),
  };
}

async function lookAtDue(
  sql: Sql,
  now: number,
  lookAt: (request: WatchedRequest) => LookedAt,
): Promise<NewAlarm[]> {
  // A request in the archive is done, and is not found by the join.
  const rows = await sql.all<DueRow>(
    `SELECT watched.request_no AS "requestNo", controller_id AS "controllerId", regulation,
            submitted_time AS "submittedTime", received_time AS "receivedTime",
            extended_until AS "extendedUntil", status IN ('pending', 'in_progress') AS "isOpen", again_asked_time AS "againAskedTime",
            next_time AS "lookedUntil"
     FROM @watched_requests AS watched LEFT JOIN @requests USING (request_no)
     WHERE next_time <= :now ORDER BY next_time, watched.request_no LIMIT ${PAGE}`,
    { now },
  );
  if (rows.length === 0) return [];
  const held = await requestsOnHold(
    sql,
    rows.map(({ requestNo }) => requestNo),
  );
  const lookAtRow = (row: DueRow) =>
    isThere(row)
      ? lookAt({ ...row, isOpen: Boolean(row.isOpen), isOnHold: held.has(row.requestNo) })
      : GONE;
  const looked = rows.map((row) => ({ requestNo: row.requestNo, ...lookAtRow(row) }));
  const later = looked.filter(({ nextTime }) => nextTime !== null);
  await sql.run(
    `UPDATE @watched_requests AS watched SET next_time = later."nextTime"
     FROM json_to_recordset(:later::json) AS later ("requestNo" bigint, "nextTime" bigint)
     WHERE watched.request_no = later."requestNo"`,
    { later: rowsOf(later.map(({ requestNo, nextTime }) => ({ requestNo, nextTime }))) },
  );
  const over = looked.filter(({ nextTime }) => nextTime === null);
  await sql.run('DELETE FROM @watched_requests WHERE request_no = ANY(:requestNos::bigint[])', {
    requestNos: over.map(({ requestNo }) => requestNo),
  });
  return raiseDeadlines(
    sql,
    looked.flatMap(({ reached }) => reached),
    now,
  );
}

/** Its record may have been forgotten in the meantime. */
function isThere(row: DueRow): row is Omit<WatchedRequest, 'isOnHold'> {
  return row.isOpen !== null;
}

const GONE: LookedAt = { reached: [], nextTime: null };
