import { endedTask, foundNothing } from '../../../domain/request/outcome.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import { type CountedTask, countOutcomes } from '../../../domain/task/count-outcomes.ts';
import type { BatchLease, DerivedIdentities } from '../../../domain/task/fulfilment-ports.ts';
import { auditOfOutcome, columnsOf, intentEndOf } from '../../../domain/task/outcome-columns.ts';
import type { TaskOutcome } from '../../../domain/task/task.ts';
import { rowsOf, type Sql } from '../../sql.ts';
import { storedJson } from '../../stored-text.ts';
import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';
import { digestSealed } from '../requests/digest-sealed.ts';
import { settleRequests } from '../requests/settle-requests.ts';
import { unblock, unblockWaiting } from './add-tasks.ts';
import { grantOf } from './asked-again.ts';
import { countDaily } from './daily-counts.ts';
import { endBatch } from './end-batch.ts';
import { forgetTransactions } from './erasing-transactions.ts';
import { digestEvidence, evidenceText } from './evidence-text.ts';
import { timeOfHold } from './logged-holds.ts';
import { endIntents } from './record-intents.ts';
import { countIdentitySets, resolveAgain, resolvedWithout } from './resolve-again.ts';
import { type RunsWithDerived, runWithDerived } from './run-with-derived.ts';

interface TaskRow extends RequestKey, CountedTask {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
  readonly reason: string | null;
  readonly attempts: number;
}

interface Done {
  readonly task: TaskRow;
  readonly outcome: TaskOutcome;
  /** As it is stored. */
  readonly evidence: string | null;
}

/** Runs in the caller's transaction, after the fence was checked. */
export async function recordOutcomes(
  sql: Sql,
  { batchNo, target }: BatchLease,
  outcomes: readonly TaskOutcome[],
  derived: readonly DerivedIdentities[],
  now: number,
): Promise<void> {
  // Only tasks of this batch: the fence covers no others.
  const tasks = await lockTasks(sql, batchNo);
  const done = new Map<number, Done>();
  for (const outcome of outcomes) {
    const task = tasks.get(outcome.taskNo);
    if (task === undefined) continue;
    const evidence = outcome.outcome === 'erased' ? evidenceText(outcome.evidence) : null;
    done.set(task.taskNo, { task, outcome, evidence });
  }
  const ended = [...done.values()];
  const requestNos = [...new Set(ended.map(({ task }) => task.requestNo))];
  await update(sql, ended, now);
  await endIntents(
    sql,
    ended.flatMap(({ task, outcome }) => {
      const state = intentEndOf(outcome);
      return state === undefined ? [] : { state, taskNo: task.taskNo };
    }),
  );
  await forgetTransactions(
    sql,
    target,
    ended.flatMap(({ task, outcome }) => (isEndKnown(outcome) ? [task.taskNo] : [])),
  );
  const isResolved = ended.some(({ outcome }) => outcome.outcome === 'resolved');
  let runs: RunsWithDerived = new Map();
  if (isResolved) {
    await resolveAgain(sql, await resolvedTooEarly(sql, ended), now);
    runs = await addDerived(sql, tasks, derived, now);
    await unblock(sql, requestNos, now);
  } else await unblockWaiting(sql, requestNos, now);
  const found = ended.filter(({ outcome }) => foundRows(outcome));
  const foundNos = new Set(found.map(({ task }) => task.requestNo));
  const entries = isResolved ? auditOfDerived(tasks, derived, runs, now) : [];
  for (const one of ended) entries.push(...auditOf(one, await timeOf(sql, one, now)));
  const settled = await settleRequests(sql, requestNos, now, foundNos, entries);
  await endBatch(sql, batchNo);
  await appendAudit(sql, [...entries, ...settled.entries]);
  await countDaily(sql, [...countOutcomes(target, ended, now), ...settled.counts]);
}

/** Otherwise the target has to be asked how the attempt ended. */
function isEndKnown(outcome: TaskOutcome): boolean {
  return outcome.outcome === 'erased' || intentEndOf(outcome) !== undefined;
}

function foundRows(outcome: TaskOutcome): boolean {
  return outcome.outcome === 'erased' && !foundNothing(endedTask(outcome.evidence));
}

/**
 * Also locks their requests, which another transaction may be about to settle. Only the worker of this
 * batch changes the tasks.
 */
async function lockTasks(sql: Sql, batchNo: number): Promise<Map<number, TaskRow>> {
  const rows = await sql.all<TaskRow>(
    `SELECT task_no AS "taskNo", request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId", target, reason, attempts,
            reserved_day AS "reservedDay", reserved_rows AS "reservedRows"
     FROM @tasks JOIN @requests USING (request_no)
     WHERE batch_no = :batchNo AND state = 'running'
     ORDER BY request_no FOR UPDATE OF requests`,
    { batchNo },
  );
  return new Map(rows.map((task) => [task.taskNo, task]));
}

async function update(sql: Sql, done: readonly Done[], now: number): Promise<void> {
  if (done.length === 0) return;
  const rows = done.map(({ outcome, evidence }) => {
    const { reported, ...columns } = columnsOf(outcome);
    const { taskNo } = outcome;
    return { taskNo, ...columns, evidence, reported: reported && storedJson(reported) };
  });
  // A hold without a count must not be released for the number that an older plan found.
  await sql.run(
    `UPDATE @tasks
     SET state = done.state, phase = coalesce(done.phase, tasks.phase),
         due_time = done."dueTime", reason = done.reason, detail = done.detail,
         previewed_rows = CASE WHEN done.state = 'held' THEN done."previewedRows"
                               ELSE coalesce(done."previewedRows", tasks.previewed_rows) END,
         evidence = done.evidence, reported = coalesce(done.reported, tasks.reported),
         batch_no = NULL, changed_time = :now
     FROM json_to_recordset(:rows::json) AS done
       ("taskNo" bigint, state text, phase text, "dueTime" bigint, reason text, detail text,
        "previewedRows" bigint, evidence text, reported text)
     WHERE tasks.task_no = done."taskNo"`,
    { rows: rowsOf(rows), now },
  );
}

/** A task may be held again after the clock was set back. */
async function timeOf(sql: Sql, { task, outcome }: Done, now: number): Promise<number> {
  return outcome.outcome === 'held' && task.attempts > 1 ? timeOfHold(sql, task, now) : now;
}

function auditOf({ task, outcome, evidence }: Done, now: number): AuditEntry[] {
  const entry = auditOfOutcome(outcome, task.reason);
  if (entry === undefined) return [];
  const { controllerId, subjectRequestId, target, requestNo } = task;
  const { taskNo } = task;
  const detail = JSON.stringify({
    target,
    ...((evidence !== null || outcome.outcome === 'held') && { task: taskNo }),
    ...entry.detail,
    ...(evidence !== null && { evidence: digestEvidence(evidence) }),
  });
  const { action } = entry;
  return [
    { time: now, actor: 'system', action, controllerId, subjectRequestId, detail, requestNo },
  ];
}

/** Looked-up identities name the person too: see domain/request/logged-identities.ts. */
function auditOfDerived(
  tasks: ReadonlyMap<number, TaskRow>,
  derived: readonly DerivedIdentities[],
  runs: RunsWithDerived,
  now: number,
): AuditEntry[] {
  const granted = new Set<number>();
  return derived.flatMap(({ taskNo, sealed }) => {
    const task = tasks.get(taskNo);
    if (task === undefined) return [];
    const { controllerId, subjectRequestId, requestNo, target } = task;
    const entry = { time: now, actor: 'system', action: 'task.resolved' } as const;
    const { targets, isAsked } = runs.get(requestNo) ?? {};
    const again = targets && !granted.has(requestNo) && grantOf(targets, isAsked === true);
    granted.add(requestNo);
    const identities = digestSealed(sealed.sealed);
    const detail = { target, task: taskNo, identities, ...again };
    return [
      { ...entry, controllerId, subjectRequestId, requestNo, detail: JSON.stringify(detail) },
    ];
  });
}

/** Tasks that looked up before another target found further identities. */
async function resolvedTooEarly(sql: Sql, ended: readonly Done[]): Promise<number[]> {
  const resolved = ended.filter(({ outcome }) => outcome.outcome === 'resolved');
  const sets = await countIdentitySets(
    sql,
    resolved.map(({ task }) => task.requestNo),
  );
  return resolved.flatMap(({ task, outcome }) => {
    const { openedSets = 0 } = outcome.outcome === 'resolved' ? outcome : {};
    return openedSets > 0 && (sets.get(task.requestNo) ?? 0) > openedSets ? task.taskNo : [];
  });
}

/** The identities found here may lead other lookups of the request to more. */
async function addDerived(
  sql: Sql,
  tasks: ReadonlyMap<number, TaskRow>,
  derived: readonly DerivedIdentities[],
  now: number,
): Promise<RunsWithDerived> {
  const mine = derived.flatMap(({ taskNo, sealed: { masterKeyId, wrappedKey, sealed } }) => {
    const task = tasks.get(taskNo);
    if (task === undefined) return [];
    const { requestNo, target: source } = task;
    return [{ requestNo, source, masterKeyId, wrappedKey, sealed }];
  });
  if (mine.length === 0) return new Map();
  await sql.run(
    `INSERT INTO @added_identities (request_no, source, master_key_id, wrapped_key, sealed)
     SELECT "requestNo", source, "masterKeyId", decode("wrappedKey", 'hex'), decode(sealed, 'hex')
     FROM json_to_recordset(:mine::json) AS mine
       ("requestNo" bigint, source text, "masterKeyId" text, "wrappedKey" text, sealed text)`,
    { mine: rowsOf(mine) },
  );
  const found = derived.flatMap(({ taskNo }) => tasks.get(taskNo) ?? []);
  await resolveAgain(sql, await resolvedWithout(sql, found), now);
  return runWithDerived(sql, found, now);
}
