// Requests that come near their deadlines. Each is found once, by its age or because it was submitted
// long before it came; from then on the time at which something is to be told says when to look.
import type { DatabaseSync } from 'node:sqlite';
import type { NewAlarm } from '../../domain/alarm.ts';
import type { LookedAt, WatchedRequest, WatchStore } from '../../domain/alarm-ports.ts';
import { prepareRaiseAlarm } from './raise-alarm.ts';
import { prepareTakeUp, WATCHED_AGE } from './take-up-requests.ts';
import { inTransaction } from './transaction.ts';

const LOOK_MS = 60_000;
/** Transactions stay short: creates wait for them. */
const PAGE = 5000;

export function prepareHasToLook(database: DatabaseSync): WatchStore['hasToLook'] {
  const select = database.prepare(`
    SELECT EXISTS (SELECT 1 FROM watched_requests WHERE next_time <= :now)
      OR EXISTS (SELECT 1 FROM requests WHERE status = 'pending'
        AND received_time > seen_received AND received_time <= :until)
      OR EXISTS (SELECT 1 FROM requests WHERE status = 'in_progress'
        AND received_time > seen_received AND received_time <= :until)
      OR EXISTS (SELECT 1 FROM requests WHERE again_asked_time <= :until
        AND NOT EXISTS (SELECT 1 FROM watched_requests AS watched
          WHERE watched.request_no = requests.request_no))
      OR ((looked_time <= :now - ${LOOK_MS} OR looked_time > :now)
        AND seen_request_no < (SELECT max(request_no) FROM requests)) AS due
    FROM alarm_progress
  `);
  return async (now) => select.get({ now, until: now - WATCHED_AGE })?.due === 1;
}

export function createWatchStore(database: DatabaseSync): WatchStore {
  const raise = prepareRaiseAlarm(database);
  const takeUp = prepareTakeUp(database);
  const due = database.prepare(`
    SELECT watched.request_no AS requestNo, controller_id AS controllerId, regulation,
           submitted_time AS submittedTime, received_time AS receivedTime,
           status IN ('pending', 'in_progress') AS isOpen, again_asked_time AS againAskedTime
    FROM watched_requests AS watched LEFT JOIN requests USING (request_no)
    WHERE next_time <= ? ORDER BY next_time, watched.request_no LIMIT ${PAGE}
  `);
  const remove = database.prepare('DELETE FROM watched_requests WHERE request_no = ?');
  const postpone = database.prepare(
    'UPDATE watched_requests SET next_time = ? WHERE request_no = ?',
  );

  function lookAtDue(
    now: number,
    lookAt: (request: WatchedRequest) => LookedAt,
    raised: NewAlarm[],
  ): void {
    for (const row of due.all(now) as unknown as DueRow[]) {
      const { alarms, nextTime } = isThere(row)
        ? lookAt({ ...row, isOpen: row.isOpen === 1 })
        : GONE;
      raised.push(...alarms.filter(raise));
      if (nextTime === null) remove.run(row.requestNo);
      else postpone.run(nextTime, row.requestNo);
    }
  }

  return {
    hasToLook: prepareHasToLook(database),
    look: async (now, lookAt) =>
      inTransaction(database, () => {
        const raised: NewAlarm[] = [];
        takeUp(now);
        lookAtDue(now, lookAt, raised);
        return raised;
      }),
  };
}

type ThereRow = Omit<WatchedRequest, 'isOpen'> & { readonly isOpen: 0 | 1 };
type DueRow = ThereRow | { readonly requestNo: number; readonly isOpen: null };

/** Its record may have been forgotten meanwhile. */
function isThere(row: DueRow): row is ThereRow {
  return row.isOpen !== null;
}

const GONE: LookedAt = { alarms: [], nextTime: null };
