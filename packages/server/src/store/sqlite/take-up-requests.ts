// Which requests have come near enough to a deadline to be watched. Each is found once: by its age, by
// having been submitted long before it came, or by being erased again.
import type { DatabaseSync, StatementSync } from 'node:sqlite';

const DAY = 86_400_000;
/** Before half of the shortest month has passed, for all that were submitted at most a day earlier. */
export const WATCHED_AGE = 12 * DAY;
const EARLY = DAY;
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

/** Inside the caller's transaction. */
export function prepareTakeUp(database: DatabaseSync): (now: number) => void {
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
