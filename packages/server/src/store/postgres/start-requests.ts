import type { RequestStatus } from '@unwrite/protocol';
import type { ControllerId } from '../../domain/controller-id.ts';
import type { StartCommand } from '../../domain/fulfilment-ports.ts';
import { countDaily, holdCounts } from './daily-counts.ts';
import type { Sql } from './database.ts';
import { type Start, writeStarts } from './start-request.ts';

interface HeldRow {
  readonly requestNo: number;
  readonly status: RequestStatus;
  readonly isPlanned: boolean;
  readonly isFirst: boolean;
  readonly askedBy: string | null;
}

interface Candidate {
  readonly command: StartCommand;
  readonly row: HeldRow;
}

/**
 * Many requests, inside the caller's transaction, and only those that nobody cancelled or started
 * meanwhile: it holds them first, so that exactly one of all who want them finds them as they were.
 */
export async function startRequests(
  sql: Sql,
  commands: readonly StartCommand[],
  now: number,
  mostStartsADay: number | null,
): Promise<number> {
  const candidates = await holdStartable(sql, commands);
  const chosen = await withinTheDay(sql, candidates, mostStartsADay, now);
  const starts = chosen.map(({ command, row }): Start => ({ ...command, askedBy: row.askedBy }));
  await writeStarts(sql, starts, now);
  const first = chosen.filter(({ row }) => row.isFirst);
  await countDaily(
    sql,
    first.map(({ command }) => {
      return { what: 'starts', whose: command.request.controllerId, count: 1, time: now };
    }),
  );
  return chosen.length;
}

/** In the order of the commands, each request once. */
async function holdStartable(sql: Sql, commands: readonly StartCommand[]): Promise<Candidate[]> {
  const once = new Map(commands.toReversed().map((one) => [one.request.requestNo, one]));
  const rows = await sql.all<HeldRow>(
    `SELECT request_no AS "requestNo", status, plan_id IS NOT NULL AS "isPlanned",
            started_time IS NULL AS "isFirst", start_asked_by AS "askedBy"
     FROM @requests WHERE request_no = ANY($1::bigint[]) ORDER BY request_no FOR UPDATE`,
    [[...once.keys()]],
  );
  const held = new Map(rows.map((row) => [row.requestNo, row]));
  const sealed = await countSealed(sql, [...held.keys()]);
  return commands.flatMap((command) => {
    const { requestNo, identities } = command.request;
    const row = held.get(requestNo);
    if (row === undefined || once.get(requestNo) !== command) return [];
    once.delete(requestNo);
    const isDue = row.status === 'pending' || (row.status === 'in_progress' && !row.isPlanned);
    // Against an operator who names somebody: a plan for nobody must not outlive that.
    return isDue && identities.length === (sealed.get(requestNo) ?? 0) ? [{ command, row }] : [];
  });
}

/** After the requests are held: who adds identities holds them, too. */
async function countSealed(sql: Sql, requestNos: readonly number[]): Promise<Map<number, number>> {
  const rows = await sql.all<{ requestNo: number; count: number }>(
    `SELECT request_no AS "requestNo", count(*) AS count
     FROM (
       SELECT request_no FROM @sealed_identities WHERE request_no = ANY($1::bigint[])
       UNION ALL
       SELECT request_no FROM @added_identities WHERE request_no = ANY($1::bigint[])
     ) AS identities
     GROUP BY request_no`,
    [requestNos],
  );
  return new Map(rows.map(({ requestNo, count }) => [requestNo, count]));
}

/** Neither what was started before nor what an operator asked for is ever put off. */
async function withinTheDay(
  sql: Sql,
  candidates: readonly Candidate[],
  mostStartsADay: number | null,
  now: number,
): Promise<readonly Candidate[]> {
  const counted = candidates.filter(({ row }) => row.isFirst);
  if (mostStartsADay === null || counted.length === 0) return candidates;
  const controllers = counted.map(({ command }) => command.request.controllerId);
  const counts = await holdCounts(sql, 'starts', controllers, now);
  const countOf = (controllerId: ControllerId) => counts.get(controllerId) ?? 0;
  return candidates.filter(({ command, row }) => {
    const { controllerId } = command.request;
    if (!row.isFirst) return true;
    if (row.askedBy === null && countOf(controllerId) >= mostStartsADay) return false;
    counts.set(controllerId, countOf(controllerId) + 1);
    return true;
  });
}
