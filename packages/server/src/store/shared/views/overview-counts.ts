// The numbers of the overview, each counted up to a limit.

import { ALL_DAYS, type Counted } from '../../../domain/limit/daily-count.ts';
import type { Capped, NearDeadlines, TargetBacklog } from '../../../domain/operator/view-ports.ts';
import type { RequestSummary } from '../../../domain/request/request.ts';
import type { TaskState } from '../../../domain/task/task.ts';
import type { Sql } from '../../sql.ts';
import { SUMMARY } from '../requests/catalogue.ts';
import { HAS_DUE_TIME, waitingTargets } from '../tasks/targets-with-work.ts';

const MAX_REQUESTS = 100_000;
const MAX_IN_SPAN = 1000;
const MAX_TASKS = 10_000;
/**
 * Maximum for each kind: the oldest requests, and those that are watched because they were submitted long
 * before they arrived.
 */
const MAX_DEADLINES = 100;

const OPEN = ['pending', 'in_progress'] as const;

export async function countOpenRequests(
  sql: Sql,
): Promise<Record<'pending' | 'in_progress', Capped>> {
  const counts = { pending: NONE, in_progress: NONE };
  for (const status of OPEN) {
    const row = await sql.get<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT received_time FROM @requests
         WHERE status = '${status}' LIMIT ${MAX_REQUESTS + 1}) AS open`,
    );
    counts[status] = cappedAt(row?.count ?? 0, MAX_REQUESTS);
  }
  return counts;
}

const NONE: Capped = { count: 0, capped: false };

function cappedAt(count: number, max: number): Capped {
  return { count: Math.min(count, max), capped: count > max };
}

export async function readTotals(sql: Sql, whose?: string): Promise<Map<Counted, number>> {
  const rows = await sql.all<{ what: Counted; count: number }>(
    `SELECT what, sum(count)::bigint AS count FROM @daily_counts
     WHERE day = ${ALL_DAYS} AND what IN ('starts', 'completed', 'cancelled')
       AND (:whose::text IS NULL OR whose = :whose) GROUP BY what`,
    { whose: whose ?? null },
  );
  return new Map(rows.map(({ what, count }) => [what, count]));
}

const DEADLINES = [
  ...OPEN.map(
    (status) => `${SUMMARY} FROM @requests
      WHERE status = '${status}' ORDER BY received_time LIMIT ${MAX_DEADLINES + 1}`,
  ),
  `${SUMMARY} FROM @watched_requests JOIN @requests USING (request_no)
   WHERE status IN ('pending', 'in_progress') ORDER BY next_time LIMIT ${MAX_DEADLINES + 1}`,
];

export async function readNearDeadlines(sql: Sql): Promise<NearDeadlines> {
  const found = new Map<string, RequestSummary>();
  let capped = false;
  for (const text of DEADLINES) {
    const rows = await sql.all<RequestSummary>(text);
    if (rows.length > MAX_DEADLINES) capped = true;
    for (const row of rows.slice(0, MAX_DEADLINES)) {
      found.set(`${row.controllerId} ${row.subjectRequestId}`, row);
    }
  }
  return { requests: [...found.values()], capped };
}

/** One statement for all spans: there are as many as days in a month. */
export async function countOpenBySpan(
  sql: Sql,
  spans: readonly { readonly from: number; readonly until: number }[],
): Promise<Capped[]> {
  const values: Record<string, number> = {};
  const counts = spans.map(({ from, until }, at) => {
    values[`from${at}`] = from;
    values[`until${at}`] = until;
    const open = OPEN.map(
      (status) => `(SELECT count(*) FROM (SELECT received_time FROM @requests
        WHERE status = '${status}' AND received_time >= :from${at} AND received_time < :until${at}
        LIMIT ${MAX_IN_SPAN + 1}) AS open)`,
    );
    return `SELECT ${at} AS span, ${open.join(' + ')} AS count`;
  });
  const rows = await sql.all<{ span: number; count: number }>(counts.join(' UNION ALL '), values);
  const bySpan = new Map(rows.map(({ span, count }) => [span, count]));
  return spans.map((_, at) => cappedAt(bySpan.get(at) ?? 0, MAX_IN_SPAN));
}

const STATES: readonly string[] = [
  "state = 'held' AND state IN ('held', 'failed')",
  "state = 'failed' AND state IN ('held', 'failed')",
  "state = 'running'",
  "state = 'waiting' AND due_time IS NULL",
];

export async function readBacklogs(sql: Sql): Promise<TargetBacklog[]> {
  const backlogs: TargetBacklog[] = [];
  for (const where of STATES) {
    const rows = await sql.all<{ target: string; state: TaskState; count: number }>(
      `SELECT target, state, count(*) AS count FROM (
         SELECT target, state FROM @tasks WHERE ${where} LIMIT ${MAX_TASKS + 1}) AS open
       GROUP BY target, state`,
    );
    const capped = rows.reduce((sum, { count }) => sum + count, 0) > MAX_TASKS;
    backlogs.push(...rows.map((row) => ({ ...row, capped })));
  }
  // One target may have a million tasks, so each target is counted separately, up to the limit.
  for (const target of await waitingTargets(sql)) {
    const row = await sql.get<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM @tasks
         WHERE ${HAS_DUE_TIME} AND state = 'waiting' AND target = :target AND phase IN ('resolve', 'erase')
         LIMIT ${MAX_TASKS + 1}) AS open`,
      { target },
    );
    backlogs.push({ target, state: 'waiting', ...cappedAt(row?.count ?? 0, MAX_TASKS) });
  }
  return backlogs;
}
