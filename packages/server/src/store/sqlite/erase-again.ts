// Another run at one target for requests that were done: a backup of it was restored, or it was added
// later. Whoever is completed stays so.
import type { DatabaseSync } from 'node:sqlite';
import type { EraseAgainCounts, EraseAgainQuery } from '../../domain/forgetting-ports.ts';
import type { Actor } from '../../domain/operator-ports.ts';
import type { RequestKey } from '../../domain/request.ts';
import type { PlannedTask } from '../../domain/task.ts';
import type { AppendAudit } from './audit.ts';
import { prepareUnblock } from './record-outcomes.ts';
import { inTransaction } from './transaction.ts';

const AT_ONCE = 250;

// A request in progress may have been erased at this target already.
const CANDIDATES = `
  SELECT request_no AS requestNo, controller_id AS controllerId,
    subject_request_id AS subjectRequestId,
    CASE
      WHEN shredded_time IS NOT NULL THEN 'shredded'
      WHEN EXISTS (SELECT 1 FROM tasks WHERE tasks.request_no = requests.request_no
        AND target = :target AND state <> 'erased') THEN 'open'
      WHEN NOT EXISTS (SELECT 1 FROM sealed_identities AS sealed
          WHERE sealed.request_no = requests.request_no)
        AND NOT EXISTS (SELECT 1 FROM added_identities AS added
          WHERE added.request_no = requests.request_no) THEN 'nobody'
      ELSE 'runs'
    END AS kind
  FROM requests
  WHERE (:controllers IS NULL OR controller_id IN (SELECT value FROM json_each(:controllers)))
    AND CASE status
      WHEN 'completed' THEN completed_time BETWEEN :since AND :until
      WHEN 'in_progress' THEN EXISTS (SELECT 1 FROM tasks
        WHERE tasks.request_no = requests.request_no AND target = :target AND state = 'erased'
          AND changed_time BETWEEN :since AND :until)
    END`;

interface Candidate extends RequestKey {
  readonly requestNo: number;
}

export function prepareCountEraseAgain(database: DatabaseSync) {
  const count = database.prepare(`
    SELECT count(*) FILTER (WHERE kind = 'runs') AS runs,
           count(*) FILTER (WHERE kind = 'shredded') AS shredded,
           count(*) FILTER (WHERE kind = 'open') AS open,
           count(*) FILTER (WHERE kind = 'nobody') AS nobody
    FROM (${CANDIDATES})
  `);
  return (query: EraseAgainQuery): EraseAgainCounts => ({
    ...(count.get(parametersOf(query)) as unknown as EraseAgainCounts),
  });
}

export function prepareEraseAgain(database: DatabaseSync, appendAudit: AppendAudit) {
  const next = database.prepare(`
    SELECT requestNo, controllerId, subjectRequestId FROM (${CANDIDATES})
    WHERE kind = 'runs' AND requestNo > :after ORDER BY requestNo LIMIT ${AT_ONCE}
  `);
  const addRun = prepareAddRun(database);
  const unblock = prepareUnblock(database);
  const mark = database.prepare(
    "UPDATE requests SET again_asked_time = ? WHERE request_no = ? AND status = 'completed'",
  );

  function addRuns(found: readonly Candidate[], task: PlannedTask, { actor, now }: Actor): void {
    for (const { requestNo, controllerId, subjectRequestId } of found) {
      addRun(requestNo, task, { actor, now });
      mark.run(now, requestNo);
      unblock(requestNo, now);
      const detail = JSON.stringify({ target: task.target });
      const action = 'request.erase_again_asked';
      appendAudit({ time: now, actor, action, controllerId, subjectRequestId, detail }, requestNo);
    }
  }

  return (query: EraseAgainQuery, task: PlannedTask, by: Actor): number => {
    let total = 0;
    for (let after = 0; ; ) {
      const found = inTransaction(database, () => {
        const rows = next.all({ ...parametersOf(query), after }) as unknown as Candidate[];
        addRuns(rows, task, by);
        return rows;
      });
      total += found.length;
      after = found.at(-1)?.requestNo ?? after;
      if (found.length < AT_ONCE) return total;
    }
  };
}

function prepareAddRun(database: DatabaseSync) {
  const insert = database.prepare(`
    INSERT INTO tasks
      (request_no, target, run, connector, phase, resolves, state, due_time, reason, detail,
       changed_time, asked_time, asked_by)
    SELECT :requestNo, :target, coalesce(last.run, 0) + 1, :connector,
           iif(hold IS NULL, :phase, 'erase'), :phase = 'resolve',
           iif(hold IS NULL, 'waiting', 'held'),
           iif(hold IS NULL AND :phase = 'resolve', :now, NULL), hold,
           CASE hold
             WHEN 'retained_before' THEN
               'to be erased again, and this target was retained before: release, or retain again'
             ELSE :heldDetail
           END, :now, :now, :actor
    FROM (
      SELECT run, coalesce(:heldReason,
        iif(evidence ->> '$.action' = 'retained', 'retained_before', NULL)) AS hold
      FROM (SELECT 1) LEFT JOIN (
        SELECT run, evidence FROM tasks
        WHERE request_no = :requestNo AND target = :target ORDER BY run DESC LIMIT 1
      )
    ) AS last
  `);
  return (requestNo: number, task: PlannedTask, { actor, now }: Actor): void => {
    const { target, connector, phase, held } = task;
    insert.run({
      ...{ requestNo, target, connector, phase, actor, now },
      heldReason: held?.reason ?? null,
      heldDetail: held?.detail ?? null,
    });
  };
}

function parametersOf({ target, since, until, controllers }: EraseAgainQuery) {
  return {
    target,
    since,
    until,
    controllers: controllers === null ? null : JSON.stringify(controllers),
  };
}
