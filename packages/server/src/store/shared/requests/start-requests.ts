import { isAskedFor, startProblem } from '../../../domain/request/log-rules.ts';
import { isStartable, type StartableRequest, withinTheDay } from '../../../domain/request/start.ts';
import type { StartCommand } from '../../../domain/task/fulfilment-ports.ts';
import type { Sql, Transaction } from '../../sql.ts';
import { readLoggedRows } from '../audit/logged-rows.ts';
import { holdTasksOf } from '../legal-holds/hold-tasks.ts';
import { addHeldNames, LEGAL_HOLDS } from '../legal-holds/on-hold.ts';
import { wentBack } from '../restores/went-back.ts';
import { countDaily, lockCounts } from '../tasks/daily-counts.ts';
import { CREATED_COLUMNS, type CreatedColumns, isAsCreated } from './as-created.ts';
import { type Start, writeStarts } from './write-starts.ts';

type Candidate = StartableRequest & Start & CreatedColumns;

interface StartRules {
  readonly now: number;
  /** Of a controller; null: no limit. */
  readonly maxStartsPerDay: number | null;
  /** Requests received later start only if an operator asked for it. */
  readonly receivedBefore: number;
  /** Called for each request that must not start because of the audit log. */
  readonly refused: (requestNo: number) => void;
}

/**
 * Starts many requests in the caller's transaction, but only those that have been neither cancelled nor started in
 * the meantime: it locks them first, so that exactly one of several transactions finds them unchanged.
 */
export async function startRequests(
  sql: Transaction,
  commands: readonly StartCommand[],
  { now, maxStartsPerDay, receivedBefore, refused }: StartRules,
): Promise<number> {
  if (await wentBack(sql)) return 0;
  await sql.lock(LEGAL_HOLDS, 'shared');
  const locked = await lockStartable(sql, commands);
  const candidates = await fitForLog(sql, locked, receivedBefore, refused);
  const chosen = await chooseOfTheDay(sql, candidates, maxStartsPerDay, now);
  await writeStarts(sql, chosen, now);
  await holdNamed(sql, chosen, now);
  const first = chosen.filter(({ isFirst }) => isFirst);
  await countDaily(
    sql,
    first.map(({ controllerId }) => {
      return { what: 'starts', whose: controllerId, count: 1, time: now };
    }),
  );
  return chosen.length;
}

/** Requests that a legal hold is on start like the others; their tasks wait for its end. */
async function holdNamed(sql: Transaction, chosen: readonly Start[], now: number): Promise<void> {
  const names = chosen.flatMap(({ request: { requestNo }, otherDigests = [] }) =>
    otherDigests.map((digest) => ({ digest, requestNo })),
  );
  await addHeldNames(sql, names);
  await holdTasksOf(
    sql,
    chosen.map(({ request }) => request.requestNo),
    now,
  );
}

/** In the order of the commands, each request once. */
async function lockStartable(sql: Sql, commands: readonly StartCommand[]): Promise<Candidate[]> {
  const once = new Map(commands.toReversed().map((one) => [one.request.requestNo, one]));
  const rows = await sql.all<Omit<StartableRequest, 'sealed'> & CreatedColumns>(
    `SELECT request_no AS "requestNo", ${CREATED_COLUMNS}, status,
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
    const { count = 0, isNamed = false } = sealed.get(requestNo) ?? {};
    const candidate = { ...command, ...row, sealed: count, isNamed };
    return isStartable(candidate, command.request.identities.length) ? [candidate] : [];
  });
}

/**
 * A request that contradicts the audit log does not start, and an alarm is raised; nor does one start early
 * if no operator of ours asked for it.
 */
async function fitForLog(
  sql: Sql,
  held: readonly Candidate[],
  receivedBefore: number,
  refused: (requestNo: number) => void,
): Promise<Candidate[]> {
  const rowsOf = await readLoggedRows(sql, held);
  return held.flatMap((candidate) => {
    const { requestNo, askedBy, subjectRequestId, receivedTime, status } = candidate;
    const { own: rows, ...logged } = rowsOf(candidate);
    const isAsked = askedBy !== null && isAskedFor(askedBy, rows);
    const asLogged = { ...logged, isAsCreated: isAsCreated(sql.rowMacs, candidate) };
    const isDue = status !== 'pending' || isAsked || receivedTime <= receivedBefore;
    const problem =
      startProblem({ ...asLogged, receivedTime, isPending: status === 'pending' }, rows) ??
      (isDue || askedBy === null ? undefined : 'no operator asked for its start');
    if (problem !== undefined) {
      sql.rowMacs.refuse({ kind: 'request', id: subjectRequestId }, problem);
      refused(requestNo);
    }
    return problem === undefined && isDue
      ? [isAsked ? candidate : { ...candidate, askedBy: null }]
      : [];
  });
}

interface Sealed {
  readonly count: number;
  /** Whether the identities that it was received with are among them. */
  readonly isNamed: boolean;
}

/** Call this after the requests are locked: adding identities locks them, too. */
async function countSealed(sql: Sql, requestNos: readonly number[]): Promise<Map<number, Sealed>> {
  const rows = await sql.all<{ requestNo: number; count: number; received: number }>(
    `SELECT request_no AS "requestNo", count(*) AS count, max(received) AS received
     FROM (
       SELECT request_no, 1 AS received FROM @sealed_identities
       WHERE request_no = ANY(:requestNos::bigint[])
       UNION ALL
       SELECT request_no, 0 FROM @added_identities WHERE request_no = ANY(:requestNos::bigint[])
     ) AS identities
     GROUP BY request_no`,
    { requestNos },
  );
  return new Map(
    rows.map(({ requestNo, count, received }) => [requestNo, { count, isNamed: received > 0 }]),
  );
}

/** The counts are locked only if a limit depends on them. */
async function chooseOfTheDay(
  sql: Sql,
  candidates: readonly Candidate[],
  maxStartsPerDay: number | null,
  now: number,
): Promise<readonly Candidate[]> {
  const counted = candidates.filter(({ isFirst }) => isFirst);
  if (maxStartsPerDay === null || counted.length === 0) return candidates;
  const controllers = counted.map(({ controllerId }) => controllerId);
  const started = await lockCounts(sql, 'starts', controllers, now);
  return withinTheDay(candidates, maxStartsPerDay, started);
}
