// Which requests have come near enough to a deadline to be watched. Each is found by its age, by having
// been submitted long before it came, or by being erased again.
import { parseTimestamp } from '@unwrite/protocol';
import type { Sql } from './database.ts';

const DAY = 86_400_000;
/** Before half of the shortest month has passed, for all that were submitted at most a day earlier. */
export const WATCHED_AGE = 12 * DAY;
const EARLY = DAY;
const PAGE = 5000;
/** More than any one moment has created. */
const WHOLE_MOMENT = 200_000;
const NEW_PAGE = 20_000;
/**
 * Numbers are given before the commit, so that a lower one may come to sight after a higher one. Younger
 * requests are looked at again until they are so old: nobody takes that long to commit.
 */
const SETTLED = 2 * 60_000;

interface Progress {
  readonly seenReceived: number;
  readonly seenRequestNo: number;
  readonly lookedTime: number;
}

/** Inside the caller's transaction; one at a time, whoever asks. */
export function prepareTakeUp(sql: Sql): (now: number) => Promise<void> {
  return async (now) => {
    const progress = await sql.get<Progress>(
      `SELECT seen_received AS "seenReceived", seen_request_no AS "seenRequestNo",
              looked_time AS "lookedTime"
       FROM @alarm_progress FOR UPDATE`,
    );
    if (progress === undefined) return;
    await takeAged(sql, progress.seenReceived, now - WATCHED_AGE);
    await sql.run(
      `INSERT INTO @watched_requests (request_no, next_time)
       SELECT request_no, 0 FROM @requests WHERE again_asked_time <= $1
       ON CONFLICT DO NOTHING`,
      [now - WATCHED_AGE],
    );
    await takeEarly(sql, progress, now);
  };
}

interface AgedPage {
  readonly count: number;
  readonly first: number | null;
  readonly last: number | null;
}

async function takeAged(sql: Sql, after: number, until: number): Promise<void> {
  let page = await watchAged(sql, after, until, PAGE);
  if (page.count === PAGE && page.first === page.last) {
    page = await watchAged(sql, after, until, WHOLE_MOMENT);
  }
  if (page.last === null) return;
  // Others of the same moment may be behind the end of the page.
  const seen = page.count === PAGE ? page.last - 1 : page.last;
  await sql.run('UPDATE @alarm_progress SET seen_received = $1', [seen]);
}

async function watchAged(sql: Sql, after: number, until: number, most: number): Promise<AgedPage> {
  const page = await sql.get<AgedPage>(
    `WITH aged AS (
       SELECT request_no, received_time FROM (
         SELECT request_no, received_time FROM @requests
         WHERE status = 'pending' AND received_time > $1 AND received_time <= $2
         UNION ALL
         SELECT request_no, received_time FROM @requests
         WHERE status = 'in_progress' AND received_time > $1 AND received_time <= $2
       ) AS open ORDER BY received_time LIMIT $3
     ), watched AS (
       INSERT INTO @watched_requests (request_no, next_time) SELECT request_no, 0 FROM aged
       ON CONFLICT DO NOTHING
     )
     SELECT count(*) AS count, min(received_time) AS first, max(received_time) AS last FROM aged`,
    [after, until, most],
  );
  return page ?? { count: 0, first: null, last: null };
}

interface NewRow {
  readonly requestNo: number;
  readonly submittedTime: string;
  readonly receivedTime: number;
  readonly isOpen: boolean;
}

async function takeEarly(sql: Sql, progress: Progress, now: number): Promise<void> {
  const { seenReceived, seenRequestNo, lookedTime } = progress;
  const rows = await sql.all<NewRow>(
    `SELECT request_no AS "requestNo", submitted_time AS "submittedTime",
            received_time AS "receivedTime", status IN ('pending', 'in_progress') AS "isOpen"
     FROM @requests WHERE request_no > $1 ORDER BY request_no LIMIT ${NEW_PAGE}`,
    [seenRequestNo],
  );
  if (rows.length === 0) return;
  // What cannot be read as a time is looked at as well.
  const early = rows.filter(
    ({ isOpen, submittedTime, receivedTime }) =>
      isOpen &&
      ((parseTimestamp(submittedTime) ?? 0) < receivedTime - EARLY || receivedTime <= seenReceived),
  );
  if (early.length > 0) {
    await sql.run(
      `INSERT INTO @watched_requests (request_no, next_time)
       SELECT request_no, 0 FROM unnest($1::bigint[]) AS early (request_no)
       ON CONFLICT DO NOTHING`,
      [early.map(({ requestNo }) => requestNo)],
    );
  }
  // Of a time ahead, the clock was set back since: those are not waited for.
  const settled = rows.findLast(({ receivedTime }) => Math.abs(now - receivedTime) >= SETTLED);
  const isMore = rows.length === NEW_PAGE && settled !== undefined;
  await sql.run('UPDATE @alarm_progress SET seen_request_no = $1, looked_time = $2', [
    settled?.requestNo ?? seenRequestNo,
    isMore ? lookedTime : now,
  ]);
}
