// Requests that come near their deadlines. Each is found once, by its age or because it was submitted
// long before it came; from then on the time at which something is to be told says when to look.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { NewAlarm } from '../../domain/alarm.ts';
import type { LookedAt, WatchedRequest, WatchStore } from '../../domain/alarm-ports.ts';
import { prepareRaiseAlarm } from './raise-alarm.ts';
import { inTransaction } from './transaction.ts';

const DAY = 86_400_000;
/** Before half of the shortest month has passed, for all that were submitted at most a day earlier. */
const WATCHED_AGE = 12 * DAY;
const EARLY = DAY;
const LOOK_MS = 60_000;
/** Transactions stay short: creates wait for them. */
const PAGE = 5000;
/** More than any one transaction has created: all of them have the same received time. */
const WHOLE_TRANSACTION = 200_000;
const NEW_PAGE = 20_000;

const OPEN_AGED = `
  SELECT request_no, received_time FROM requests
  WHERE status = 'pending' AND received_time > :after AND received_time <= :until
  UNION ALL
  SELECT request_no, received_time FROM requests
  WHERE status = 'in_progress' AND received_time > :after AND received_time <= :until`;

interface Progress {
  readonly seenReceived: number;
  readonly seenRequestNo: number;
  readonly lookedTime: number;
}

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
  return (now) => select.get({ now, until: now - WATCHED_AGE })?.due === 1;
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
    look: (now, lookAt) =>
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

/** Inside the caller's transaction. */
function prepareTakeUp(database: DatabaseSync): (now: number) => void {
  const progress = database.prepare(`
    SELECT seen_received AS seenReceived, seen_request_no AS seenRequestNo, looked_time AS lookedTime
    FROM alarm_progress
  `);
  const aged = database.prepare(
    `SELECT request_no AS requestNo, received_time AS receivedTime FROM (${OPEN_AGED})
     ORDER BY receivedTime LIMIT :most`,
  );
  const again = database.prepare(
    'SELECT request_no AS requestNo FROM requests WHERE again_asked_time <= ?',
  );
  const newest = database.prepare(
    'SELECT coalesce(max(request_no), 0) AS last FROM (SELECT request_no FROM requests WHERE request_no > ? ORDER BY request_no LIMIT ?)',
  );
  // What SQLite cannot read as a time is looked at as well.
  const early = database.prepare(`
    SELECT request_no AS requestNo FROM requests
    WHERE request_no > :after AND request_no <= :until AND status IN ('pending', 'in_progress')
      AND (coalesce(unixepoch(submitted_time) * 1000, 0) < received_time - ${EARLY}
        OR received_time <= :seenReceived)
  `);
  const watch = database.prepare(
    'INSERT INTO watched_requests (request_no, next_time) VALUES (?, 0) ON CONFLICT DO NOTHING',
  );
  const setReceived = database.prepare('UPDATE alarm_progress SET seen_received = ?');
  const setNewest = database.prepare(
    'UPDATE alarm_progress SET seen_request_no = ?, looked_time = ?',
  );

  function watchAll(statement: StatementSync, values: Record<string, number>): Aged[] {
    const rows = statement.all(values) as unknown as Aged[];
    for (const { requestNo } of rows) watch.run(requestNo);
    return rows;
  }

  function takeAged(after: number, until: number): void {
    let rows = watchAll(aged, { after, until, most: PAGE });
    if (rows.length === PAGE && rows[0]?.receivedTime === rows.at(-1)?.receivedTime)
      rows = watchAll(aged, { after, until, most: WHOLE_TRANSACTION });
    const last = rows.at(-1);
    if (last === undefined) return;
    // Others of the same moment may be behind the end of the page.
    setReceived.run(rows.length === PAGE ? last.receivedTime - 1 : last.receivedTime);
  }

  return (now) => {
    const { seenReceived, seenRequestNo, lookedTime } = progress.get() as unknown as Progress;
    takeAged(seenReceived, now - WATCHED_AGE);
    for (const row of again.all(now - WATCHED_AGE) as unknown as Aged[]) watch.run(row.requestNo);
    const { last } = newest.get(seenRequestNo, NEW_PAGE) as { last: number };
    if (last <= seenRequestNo) return;
    watchAll(early, { after: seenRequestNo, until: last, seenReceived });
    setNewest.run(last, last - seenRequestNo < NEW_PAGE ? now : lookedTime);
  };
}

interface Aged {
  readonly requestNo: number;
  readonly receivedTime: number;
}
