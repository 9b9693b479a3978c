// Counts new requests and how long completed ones took, in short transactions of one node at a time.
import { dayOf } from '../../../domain/limit/day.ts';
import { durationClass } from '../../../domain/statistics/completion-times.ts';
import {
  type ArrivedRequest,
  arrivalsOf,
  blocksOf,
  settledArrivals,
} from '../../../domain/statistics/count-arrivals.ts';
import type { StatisticsStore } from '../../../domain/statistics/statistics-ports.ts';
import { type Database, rowsOf, type Sql, type Transaction } from '../../sql.ts';

const PAGE = 2000;
/** A settle needs some time before it commits: requests that ended just now are counted later. */
const LATE_ENDS_MS = 60_000;
const FINAL = 'coalesce(completed_time, cancelled_time)';
const IS_FINAL = "status IN ('completed', 'cancelled') AND again_asked_time IS NULL";
const NEW_FINAL = `${IS_FINAL} AND ${FINAL} >= :seenFinalTime AND ${FINAL} <= :until
  AND (${FINAL} > :seenFinalTime OR request_no > :seenFinalNo)`;

interface Progress {
  readonly seenRequestNo: number;
  readonly seenFinalTime: number;
  readonly seenFinalNo: number;
}

interface FinalRequest {
  readonly requestNo: number;
  readonly time: number;
  readonly status: string;
  readonly receivedTime: number;
}

export function createStatisticsStore(database: Database): StatisticsStore {
  const { lateNumbersMs } = database.dialect;
  return {
    async anyToCount(now) {
      const progress = await readProgress(database);
      const until = now - Math.max(lateNumbersMs, LATE_ENDS_MS);
      const row = await database.get<{ arrived: boolean | 0 | 1; ended: boolean | 0 | 1 }>(
        `SELECT EXISTS (SELECT 1 FROM @requests WHERE request_no > :seenRequestNo) AS arrived,
                EXISTS (SELECT 1 FROM @requests WHERE ${NEW_FINAL}) AS ended`,
        { ...progress, until },
      );
      return Boolean(row?.arrived) || Boolean(row?.ended);
    },
    countSome: (now) =>
      database.unprepared.transaction(async (sql) => {
        await sql.lock('statistics');
        return countSome(sql, now, lateNumbersMs);
      }),
  };
}

async function readProgress(sql: Sql): Promise<Progress> {
  const row = await sql.get<Progress>(
    `SELECT seen_request_no AS "seenRequestNo", seen_final_time AS "seenFinalTime",
            seen_final_no AS "seenFinalNo" FROM @statistics_progress`,
  );
  const progress = row ?? { seenRequestNo: 0, seenFinalTime: 0, seenFinalNo: 0 };
  const isWritten = Object.values(progress).every(Number.isSafeInteger);
  if (isWritten) return progress;
  // Someone else wrote the progress. Requests up to now may be missing in the counts; later ones are counted.
  const last = await sql.get<Progress>(
    `SELECT max(request_no) AS "seenRequestNo", max(${FINAL}) AS "seenFinalTime",
            max(request_no) AS "seenFinalNo" FROM @requests`,
  );
  return {
    seenRequestNo: last?.seenRequestNo ?? 0,
    seenFinalTime: last?.seenFinalTime ?? 0,
    seenFinalNo: last?.seenFinalNo ?? 0,
  };
}

async function countSome(sql: Transaction, now: number, lateMs: number): Promise<boolean> {
  const progress = await readProgress(sql);
  const arrived = await sql.all<ArrivedRequest>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            received_time AS "receivedTime"
     FROM @all_requests WHERE request_no > :seenRequestNo ORDER BY request_no LIMIT ${PAGE}`,
    { seenRequestNo: progress.seenRequestNo },
  );
  const settled = settledArrivals(arrived, now, lateMs);
  await addArrivals(sql, settled);
  const ended = await readEnded(sql, progress, now - Math.max(lateMs, LATE_ENDS_MS));
  await addCompletionTimes(sql, ended);
  const last = ended.at(-1);
  await sql.run(
    `INSERT INTO @statistics_progress
       (one, seen_request_no, seen_final_time, seen_final_no, counted_time)
     VALUES (1, :requestNo, :finalTime, :finalNo, :now)
     ON CONFLICT (one) DO UPDATE SET seen_request_no = excluded.seen_request_no,
       seen_final_time = excluded.seen_final_time, seen_final_no = excluded.seen_final_no,
       counted_time = excluded.counted_time`,
    {
      requestNo: settled.at(-1)?.requestNo ?? progress.seenRequestNo,
      finalTime: last?.time ?? progress.seenFinalTime,
      finalNo: last?.requestNo ?? progress.seenFinalNo,
      now,
    },
  );
  return settled.length === PAGE || ended.length === PAGE;
}

/** A request that is archived between the two statements is read twice; it counts once, by its number. */
async function readEnded(sql: Sql, progress: Progress, until: number): Promise<FinalRequest[]> {
  const found = new Map<number, FinalRequest>();
  for (const table of sql.dialect.requestTables) {
    const rows = await sql.all<FinalRequest>(
      `SELECT request_no AS "requestNo", ${FINAL} AS time, status, received_time AS "receivedTime"
       FROM ${table} WHERE ${NEW_FINAL} ORDER BY ${FINAL}, request_no LIMIT ${PAGE}`,
      { seenFinalTime: progress.seenFinalTime, seenFinalNo: progress.seenFinalNo, until },
    );
    for (const row of rows) found.set(row.requestNo, row);
  }
  const sorted = [...found.values()].sort((a, b) => a.time - b.time || a.requestNo - b.requestNo);
  return sorted.slice(0, PAGE);
}

async function addArrivals(sql: Sql, rows: readonly ArrivedRequest[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.run(
    `INSERT INTO @daily_arrivals AS kept
       (day, controller_id, count, first_request_no, last_request_no)
     SELECT day, "controllerId", count, first, last FROM json_to_recordset(:sums::json)
       AS more (day bigint, "controllerId" text, count bigint, first bigint, last bigint)
     WHERE true
     ON CONFLICT (day, controller_id) DO UPDATE SET count = kept.count + excluded.count,
       first_request_no = CASE WHEN kept.first_request_no < excluded.first_request_no
         THEN kept.first_request_no ELSE excluded.first_request_no END,
       last_request_no = CASE WHEN kept.last_request_no > excluded.last_request_no
         THEN kept.last_request_no ELSE excluded.last_request_no END`,
    { sums: rowsOf(arrivalsOf(rows)) },
  );
  await sql.run(
    `INSERT INTO @request_blocks (controller_id, block)
     SELECT "controllerId", block FROM json_to_recordset(:blocks::json)
       AS more ("controllerId" text, block bigint)
     WHERE true ON CONFLICT DO NOTHING`,
    { blocks: rowsOf(blocksOf(rows)) },
  );
}

async function addCompletionTimes(sql: Sql, ended: readonly FinalRequest[]): Promise<void> {
  const counts = new Map<string, { day: number; duration: number; count: number }>();
  for (const { time, status, receivedTime } of ended) {
    if (status !== 'completed') continue;
    const day = dayOf(time);
    const duration = durationClass(time - receivedTime);
    const key = `${day} ${duration}`;
    const sum = counts.get(key) ?? { day, duration, count: 0 };
    sum.count++;
    counts.set(key, sum);
  }
  if (counts.size === 0) return;
  await sql.run(
    `INSERT INTO @completion_times AS kept (day, duration, count)
     SELECT day, duration, count FROM json_to_recordset(:sums::json)
       AS more (day bigint, duration bigint, count bigint)
     WHERE true
     ON CONFLICT (day, duration) DO UPDATE SET count = kept.count + excluded.count`,
    { sums: rowsOf([...counts.values()]) },
  );
}
