// Gives completed requests another run at one target, because a backup of it was restored or it was added
// later. Completed requests stay completed. Archived requests no longer have identities, or never had any:
// they are only counted.

import { type EraseAgainFacts, eraseAgainKind } from '../../../domain/request/erase-again.ts';
import type {
  EraseAgainCounts,
  EraseAgainQuery,
} from '../../../domain/request/forgetting-ports.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import { runAgain } from '../../../domain/task/new-task.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Evidence, PlannedTask } from '../../../domain/task/task.ts';
import type { Database, Sql, Transaction } from '../../sql.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { holdTasksOf } from '../legal-holds/hold-tasks.ts';
import { LEGAL_HOLDS } from '../legal-holds/on-hold.ts';
import { addTasks, unblock } from '../tasks/add-tasks.ts';

const AT_ONCE = 250;

const WHEN = 'BETWEEN :since::bigint AND :until::bigint';

const FACTS = `request_no AS "requestNo", controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId", shredded_time IS NOT NULL AS "isShredded",
  EXISTS (SELECT 1 FROM @tasks WHERE tasks.request_no = requests.request_no
    AND target = :target AND state <> 'erased') AS "isOpen",
  (EXISTS (SELECT 1 FROM @sealed_identities AS sealed
     WHERE sealed.request_no = requests.request_no)
   OR EXISTS (SELECT 1 FROM @added_identities AS added
     WHERE added.request_no = requests.request_no)) AS "isNamed"`;

const OF_CONTROLLERS =
  '(:controllers::text[] IS NULL OR controller_id = ANY(:controllers::text[]))';

// A request in progress may have been erased at this target already.
const CANDIDATES = `
  SELECT ${FACTS} FROM @requests
  WHERE ${OF_CONTROLLERS} AND CASE status
    WHEN 'completed' THEN completed_time ${WHEN}
    WHEN 'in_progress' THEN EXISTS (SELECT 1 FROM @tasks
      WHERE tasks.request_no = requests.request_no AND target = :target AND state = 'erased'
        AND changed_time ${WHEN})
  END`;

const archivedIn = (table: string) => `
  SELECT ${FACTS} FROM ${table} AS requests
  WHERE ${OF_CONTROLLERS} AND status = 'completed'
    AND coalesce(completed_time, cancelled_time) ${WHEN}`;

interface Candidate extends RequestKey, EraseAgainFacts {
  readonly requestNo: number;
}

const runs = (candidate: Candidate) => eraseAgainKind(candidate) === 'runs';

export async function countEraseAgain(sql: Sql, query: EraseAgainQuery): Promise<EraseAgainCounts> {
  const [, ...archives] = sql.dialect.requestTables;
  const rows = await sql.all<EraseAgainFacts & { readonly count: number }>(
    `SELECT "isShredded", "isOpen", "isNamed", count(*) AS count
     FROM (${[CANDIDATES, ...archives.map(archivedIn)].join(' UNION ALL ')}) AS candidates
     GROUP BY "isShredded", "isOpen", "isNamed"`,
    { ...query },
  );
  const counts = { runs: 0, shredded: 0, open: 0, nobody: 0 };
  for (const { count, ...facts } of rows) counts[eraseAgainKind(facts)] += count;
  return counts;
}

export async function eraseAgain(
  database: Database,
  query: EraseAgainQuery,
  task: PlannedTask,
  by: Actor,
): Promise<number> {
  let total = 0;
  for (let after = 0; ; ) {
    const page = await database.all<Candidate>(
      `SELECT * FROM (${CANDIDATES}) AS candidates
       WHERE "requestNo" > :after ORDER BY "requestNo" LIMIT ${AT_ONCE}`,
      { ...query, after },
    );
    const requestNos = page.filter(runs).map(({ requestNo }) => requestNo);
    if (requestNos.length > 0) {
      total += await database.transaction((sql) => addRuns(sql, requestNos, query, task, by));
    }
    after = page.at(-1)?.requestNo ?? after;
    if (page.length < AT_ONCE) return total;
  }
}

/**
 * They are locked, then read again: they may have been shredded, archived or forgotten, or may have an open task now.
 */
async function addRuns(
  sql: Transaction,
  requestNos: readonly number[],
  query: EraseAgainQuery,
  task: PlannedTask,
  by: Actor,
): Promise<number> {
  await sql.lock(LEGAL_HOLDS, 'shared');
  await sql.all(
    `SELECT 1 FROM @requests WHERE request_no = ANY(:requestNos::bigint[])
     ORDER BY request_no FOR UPDATE`,
    { requestNos },
  );
  const candidates = await sql.all<Candidate>(
    `SELECT * FROM (${CANDIDATES}) AS candidates
     WHERE "requestNo" = ANY(:requestNos::bigint[]) ORDER BY "requestNo"`,
    { ...query, requestNos },
  );
  const found = candidates.filter(runs);
  if (found.length === 0) return 0;
  const held = found.map(({ requestNo }) => requestNo);
  const { actor, now } = by;
  const actions = await lastActions(sql, held, task.target);
  await addTasks(
    sql,
    held.map((requestNo) => runAgain(requestNo, task, actions.get(requestNo) ?? null, now)),
    now,
    by,
  );
  await sql.run(
    `UPDATE @requests SET again_asked_time = :now
     WHERE request_no = ANY(:held::bigint[]) AND status = 'completed'`,
    { held, now },
  );
  await unblock(sql, held, now);
  await holdTasksOf(sql, held, now);
  const entry = { time: now, actor, action: 'request.erase_again_asked' } as const;
  const detail = JSON.stringify({ target: task.target });
  await appendAudit(
    sql,
    found.map((request) => ({ ...entry, ...request, detail })),
  );
  return found.length;
}

/** How the last run of each request at the target ended. */
async function lastActions(
  sql: Sql,
  requestNos: readonly number[],
  target: string,
): Promise<Map<number, Evidence['action'] | null>> {
  const rows = await sql.all<{ requestNo: number; action: Evidence['action'] | null }>(
    `SELECT request_no AS "requestNo", evidence::json ->> 'action' AS action FROM @tasks
     WHERE request_no = ANY(:requestNos::bigint[]) AND target = :target ORDER BY run`,
    { requestNos, target },
  );
  return new Map(rows.map(({ requestNo, action }) => [requestNo, action]));
}
