// Another run at one target for requests that were done: a backup of it was restored, or it was added
// later. Whoever is completed stays so. What is archived is shredded, or named nobody: it is only counted.
import type { EraseAgainCounts, EraseAgainQuery } from '../../domain/forgetting-ports.ts';
import type { Actor } from '../../domain/operator-ports.ts';
import type { RequestKey } from '../../domain/request.ts';
import type { PlannedTask } from '../../domain/task.ts';
import { appendAudit } from '../shared/audit/append-audit.ts';
import type { Database, Sql } from './database.ts';
import { unblock } from './unblock.ts';

const AT_ONCE = 250;

// The values of valuesOf().
const TARGET = '$1::text';
const WHEN = 'BETWEEN $2::bigint AND $3::bigint';
const OF_CONTROLLERS = '($4::text[] IS NULL OR controller_id = ANY($4::text[]))';

// A request in progress may have been erased at this target already.
const CANDIDATES = `
  SELECT request_no, controller_id, subject_request_id,
    CASE
      WHEN shredded_time IS NOT NULL THEN 'shredded'
      WHEN EXISTS (SELECT 1 FROM @tasks WHERE tasks.request_no = requests.request_no
        AND target = ${TARGET} AND state <> 'erased') THEN 'open'
      WHEN NOT EXISTS (SELECT 1 FROM @sealed_identities AS sealed
          WHERE sealed.request_no = requests.request_no)
        AND NOT EXISTS (SELECT 1 FROM @added_identities AS added
          WHERE added.request_no = requests.request_no) THEN 'nobody'
      ELSE 'runs'
    END AS kind
  FROM @requests
  WHERE ${OF_CONTROLLERS} AND CASE status
      WHEN 'completed' THEN completed_time ${WHEN}
      WHEN 'in_progress' THEN EXISTS (SELECT 1 FROM @tasks
        WHERE tasks.request_no = requests.request_no AND target = ${TARGET} AND state = 'erased'
          AND changed_time ${WHEN})
    END`;

const ARCHIVED = `
  SELECT request_no, controller_id, subject_request_id,
    CASE WHEN shredded_time IS NULL THEN 'nobody' ELSE 'shredded' END
  FROM @archived_requests
  WHERE ${OF_CONTROLLERS} AND status = 'completed'
    AND coalesce(completed_time, cancelled_time) ${WHEN}`;

interface Candidate extends RequestKey {
  readonly requestNo: number;
}

export async function countEraseAgain(sql: Sql, query: EraseAgainQuery): Promise<EraseAgainCounts> {
  const counts = await sql.get<EraseAgainCounts>(
    `SELECT count(*) FILTER (WHERE kind = 'runs') AS runs,
            count(*) FILTER (WHERE kind = 'shredded') AS shredded,
            count(*) FILTER (WHERE kind = 'open') AS open,
            count(*) FILTER (WHERE kind = 'nobody') AS nobody
     FROM (${CANDIDATES} UNION ALL ${ARCHIVED}) AS candidates`,
    valuesOf(query),
  );
  return counts ?? { runs: 0, shredded: 0, open: 0, nobody: 0 };
}

export async function eraseAgain(
  database: Database,
  query: EraseAgainQuery,
  task: PlannedTask,
  by: Actor,
): Promise<number> {
  let total = 0;
  for (let after = 0; ; ) {
    const page = await database.all<{ requestNo: number }>(
      `SELECT request_no AS "requestNo" FROM (${CANDIDATES}) AS candidates
       WHERE kind = 'runs' AND request_no > $5 ORDER BY request_no LIMIT ${AT_ONCE}`,
      [...valuesOf(query), after],
    );
    const requestNos = page.map(({ requestNo }) => requestNo);
    total += await database.transaction((sql) => addRuns(sql, requestNos, query, task, by));
    after = requestNos.at(-1) ?? after;
    if (page.length < AT_ONCE) return total;
  }
}

/** Held first and looked at again: they may have been shredded, archived or forgotten, or be open now. */
async function addRuns(
  sql: Sql,
  requestNos: readonly number[],
  query: EraseAgainQuery,
  task: PlannedTask,
  { actor, now }: Actor,
): Promise<number> {
  await sql.run(
    'SELECT 1 FROM @requests WHERE request_no = ANY($1::bigint[]) ORDER BY request_no FOR UPDATE',
    [requestNos],
  );
  const found = await sql.all<Candidate>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId"
     FROM (${CANDIDATES}) AS candidates
     WHERE kind = 'runs' AND request_no = ANY($5::bigint[]) ORDER BY request_no`,
    [...valuesOf(query), requestNos],
  );
  if (found.length === 0) return 0;
  const held = found.map(({ requestNo }) => requestNo);
  await addTasks(sql, held, task, { actor, now });
  await sql.run(
    `UPDATE @requests SET again_asked_time = $2
     WHERE request_no = ANY($1::bigint[]) AND status = 'completed'`,
    [held, now],
  );
  await unblock(sql, held, now);
  const entry = { time: now, actor, action: 'request.erase_again_asked' } as const;
  const detail = JSON.stringify({ target: task.target });
  await appendAudit(
    sql,
    found.map((request) => ({ ...entry, ...request, detail })),
  );
  return found.length;
}

async function addTasks(
  sql: Sql,
  requestNos: readonly number[],
  { target, connector, phase, held }: PlannedTask,
  { actor, now }: Actor,
): Promise<void> {
  await sql.run(
    `INSERT INTO @tasks
       (request_no, target, run, connector, phase, resolves, state, due_time, reason, detail,
        changed_time, asked_time, asked_by)
     SELECT asked.request_no, $2, coalesce(last.run, 0) + 1, $3,
            CASE WHEN hold IS NULL THEN $4::text ELSE 'erase' END, ($4::text = 'resolve')::integer,
            CASE WHEN hold IS NULL THEN 'waiting' ELSE 'held' END,
            CASE WHEN hold IS NULL AND $4::text = 'resolve' THEN $7::bigint END, hold,
            CASE hold
              WHEN 'retained_before' THEN
                'to be erased again, and this target was retained before: release, or retain again'
              ELSE $6::text
            END, $7::bigint, $7::bigint, $8
     FROM unnest($1::bigint[]) AS asked (request_no)
     LEFT JOIN LATERAL (
       SELECT run, evidence FROM @tasks
       WHERE tasks.request_no = asked.request_no AND target = $2 ORDER BY run DESC LIMIT 1
     ) AS last ON true
     CROSS JOIN LATERAL (SELECT coalesce($5::text, CASE
       WHEN last.evidence::json ->> 'action' = 'retained' THEN 'retained_before' END)
     ) AS held (hold)
     ORDER BY asked.request_no`,
    [
      ...[requestNos, target, connector, phase],
      ...[held?.reason ?? null, held?.detail ?? null, now, actor],
    ],
  );
}

function valuesOf({ target, since, until, controllers }: EraseAgainQuery) {
  return [target, since, until, controllers];
}
