import { isStartable, type StartableRequest, withinTheDay } from '../../../domain/request/start.ts';
import type { StartCommand } from '../../../domain/task/fulfilment-ports.ts';
import type { Sql } from '../../sql.ts';
import { wentBack } from '../restores/went-back.ts';
import { countDaily, holdCounts } from '../tasks/daily-counts.ts';
import { type Start, writeStarts } from './write-starts.ts';

type Candidate = StartableRequest & Start;

/**
 * Many requests, inside the caller's transaction, and only those that were neither cancelled nor started
 * meanwhile: it locks them first, so that exactly one of several transactions finds them unchanged.
 */
export async function startRequests(
  sql: Sql,
  commands: readonly StartCommand[],
  now: number,
  maxStartsPerDay: number | null,
): Promise<number> {
  if (await wentBack(sql)) return 0;
  const candidates = await holdStartable(sql, commands);
  const chosen = await chooseOfTheDay(sql, candidates, maxStartsPerDay, now);
  await writeStarts(sql, chosen, now);
  const first = chosen.filter(({ isFirst }) => isFirst);
  await countDaily(
    sql,
    first.map(({ controllerId }) => {
      return { what: 'starts', whose: controllerId, count: 1, time: now };
    }),
  );
  return chosen.length;
}

/** In the order of the commands, each request once. */
async function holdStartable(sql: Sql, commands: readonly StartCommand[]): Promise<Candidate[]> {
  const once = new Map(commands.toReversed().map((one) => [one.request.requestNo, one]));
  const rows = await sql.all<Omit<StartableRequest, 'sealed'>>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId", status,
            plan_id IS NOT NULL AS "isPlanned", started_time IS NULL AS "isFirst",
            start_asked_by AS "askedBy"
     FROM @requests WHERE request_no = ANY(:requestNos::bigint[]) ORDER BY request_no FOR UPDATE`,
    { requestNos: [...once.keys()] },
  );
  const held = new Map(rows.map((row) => [row.requestNo, row]));
  const sealed = await countSealed(sql, [...held.keys()]);
  return [...new Set(commands.map(({ request }) => request.requestNo))].flatMap((requestNo) => {
    const [row, command] = [held.get(requestNo), once.get(requestNo)];
    if (row === undefined || command === undefined) return [];
    const candidate = { ...command, ...row, sealed: sealed.get(requestNo) ?? 0 };
    return isStartable(candidate, command.request.identities.length) ? [candidate] : [];
  });
}

/** After the requests are locked: adding identities locks them, too. */
async function countSealed(sql: Sql, requestNos: readonly number[]): Promise<Map<number, number>> {
  const rows = await sql.all<{ requestNo: number; count: number }>(
    `SELECT request_no AS "requestNo", count(*) AS count
     FROM (
       SELECT request_no FROM @sealed_identities WHERE request_no = ANY(:requestNos::bigint[])
       UNION ALL
       SELECT request_no FROM @added_identities WHERE request_no = ANY(:requestNos::bigint[])
     ) AS identities
     GROUP BY request_no`,
    { requestNos },
  );
  return new Map(rows.map(({ requestNo, count }) => [requestNo, count]));
}

/** The counts are locked only where a limit depends on them. */
async function chooseOfTheDay(
  sql: Sql,
  candidates: readonly Candidate[],
  maxStartsPerDay: number | null,
  now: number,
): Promise<readonly Candidate[]> {
  const counted = candidates.filter(({ isFirst }) => isFirst);
  if (maxStartsPerDay === null || counted.length === 0) return candidates;
  const controllers = counted.map(({ controllerId }) => controllerId);
  const started = await holdCounts(sql, 'starts', controllers, now);
  return withinTheDay(candidates, maxStartsPerDay, started);
}
