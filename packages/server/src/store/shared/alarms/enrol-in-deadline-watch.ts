// Enrols requests that have come near a deadline in deadline watching: by their age, because they were
// submitted long before they arrived, or because they are erased again. domain/deadline/watch.ts decides which.
import {
  isWatchedEarly,
  type NewRequestRow,
  progressAfter,
  type WatchProgress,
  watchedUntil,
} from '../../../domain/deadline/watch.ts';
import type { Sql } from '../../sql.ts';

/** Keeps transactions short, because others wait for them. */
const PAGE = 5000;
/** More requests than can have the same received time. */
const WHOLE_MOMENT = 200_000;
const NEW_PAGE = 20_000;

const WATCH = 'INSERT INTO @watched_requests (request_no, next_time)';

/** Runs in the caller's transaction, one at a time. */
export async function enrolInDeadlineWatch(sql: Sql, now: number): Promise<void> {
  const progress = (await readProgress(sql)) ?? (await beginAgain(sql));
  if (progress === undefined) return;
  const until = watchedUntil(now);
  await enrolAged(sql, progress.seenReceived, until);
  await sql.run(
    `${WATCH} SELECT request_no, 0 FROM @requests WHERE again_asked_time <= :until
     ON CONFLICT DO NOTHING`,
    { until },
  );
  await enrolEarly(sql, progress, now);
}

const readProgress = (sql: Sql) =>
  sql.get<WatchProgress>(
    `SELECT seen_received AS "seenReceived", seen_request_no AS "seenRequestNo",
            looked_time AS "lookedTime"
     FROM @alarm_progress FOR UPDATE`,
  );

/** The row is made with the table. If someone deletes it, no alarm would be raised or delivered any more. */
async function beginAgain(sql: Sql): Promise<WatchProgress | undefined> {
  await sql.run(
    'INSERT INTO @alarm_progress VALUES (1, -1, 0, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING',
  );
  return readProgress(sql);
}

const AGED = `
  SELECT request_no, received_time FROM (
    SELECT request_no, received_time FROM @requests
    WHERE status = 'pending' AND received_time > :after AND received_time <= :until
    UNION ALL
    SELECT request_no, received_time FROM @requests
    WHERE status = 'in_progress' AND received_time > :after AND received_time <= :until
  ) AS open ORDER BY received_time LIMIT :max`;

interface AgedPage {
  readonly count: number;
  readonly first: number | null;
  readonly last: number | null;
}

async function enrolAged(sql: Sql, after: number, until: number): Promise<void> {
  let max = PAGE;
  let page = await readAged(sql, { after, until, max });
  if (page?.count === PAGE && page.first === page.last) {
    max = WHOLE_MOMENT;
    page = await readAged(sql, { after, until, max });
  }
  if (page === undefined || page.last === null) return;
  await sql.run(
    `${WATCH} SELECT request_no, 0 FROM (${AGED}) AS aged WHERE true ON CONFLICT DO NOTHING`,
    { after, until, max },
  );
  // Other requests with the same time may follow after the end of the page.
  const seen = page.count === PAGE ? page.last - 1 : page.last;
  await sql.run('UPDATE @alarm_progress SET seen_received = :seen', { seen });
}

function readAged(
  sql: Sql,
  values: { readonly after: number; readonly until: number; readonly max: number },
): Promise<AgedPage | undefined> {
  return sql.get(
    `SELECT count(*) AS count, min(received_time) AS first, max(received_time) AS last
     FROM (${AGED}) AS aged`,
    values,
  );
}

async function enrolEarly(sql: Sql, progress: WatchProgress, now: number): Promise<void> {
  const rows = await sql.all<NewRequestRow>(
    `SELECT request_no AS "requestNo", submitted_time AS "submittedTime",
            received_time AS "receivedTime", status IN ('pending', 'in_progress') AS "isOpen"
     FROM @requests WHERE request_no > :seenRequestNo ORDER BY request_no LIMIT ${NEW_PAGE}`,
    { seenRequestNo: progress.seenRequestNo },
  );
  if (rows.length === 0) return;
  const early = rows.filter((row) => isWatchedEarly(row, progress));
  if (early.length > 0) {
    await sql.run(
      `${WATCH} SELECT request_no, 0 FROM @requests
       WHERE request_no = ANY(:requestNos::bigint[]) ON CONFLICT DO NOTHING`,
      { requestNos: early.map(({ requestNo }) => requestNo) },
    );
  }
  const { lateNumbersMs } = sql.dialect;
  const after = progressAfter(rows, progress, {
    now,
    lateNumbersMs,
    isFullPage: rows.length === NEW_PAGE,
  });
  await sql.run(
    'UPDATE @alarm_progress SET seen_request_no = :seenRequestNo, looked_time = :lookedTime',
    { ...after },
  );
}
