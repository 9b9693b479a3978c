import type { BatchLease, DerivedIdentities } from '../../domain/fulfilment-ports.ts';
import type { RequestKey } from '../../domain/request.ts';
import type { TaskOutcome } from '../../domain/task.ts';
import { type CountedTask, countOutcomes } from '../count-outcomes.ts';
import { auditOfOutcome, columnsOf, intentEndOf } from '../outcome-columns.ts';
import { type AuditEntry, appendAudit } from '../shared/audit/append-audit.ts';
import { storedJson, storedText } from '../stored-text.ts';
import { countDaily } from './daily-counts.ts';
import type { Sql } from './database.ts';
import { endIntents } from './record-intents.ts';
import { settleRequests } from './settle-requests.ts';
import { unblock } from './unblock.ts';

interface TaskRow extends RequestKey, CountedTask {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
  readonly reason: string | null;
}

interface Done {
  readonly task: TaskRow;
  readonly outcome: TaskOutcome;
}

/** Inside the caller's transaction, behind the fence. */
export async function recordOutcomes(
  sql: Sql,
  { batchNo, target }: BatchLease,
  outcomes: readonly TaskOutcome[],
  derived: readonly DerivedIdentities[],
  now: number,
): Promise<void> {
  // Only of this batch: the fence stands for no other.
  const tasks = await holdTasks(sql, batchNo);
  const done = new Map<number, Done>();
  for (const outcome of outcomes) {
    const task = tasks.get(outcome.taskNo);
    if (task !== undefined) done.set(task.taskNo, { task, outcome });
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
  await addDerived(sql, tasks, derived);
  if (ended.some(({ outcome }) => outcome.outcome === 'resolved')) {
    await unblock(sql, requestNos, now);
  }
  const somewhere = ended.filter(({ outcome }) => isSomewhere(outcome));
  const settled = await settleRequests(
    sql,
    requestNos,
    now,
    new Set(somewhere.map(({ task }) => task.requestNo)),
  );
  // A task without an outcome keeps its batch: with the end of the lease another takes it over.
  await sql.run(
    `DELETE FROM @batches WHERE batch_no = $1
       AND NOT EXISTS (SELECT 1 FROM @tasks WHERE batch_no = $1 AND state = 'running')`,
    [batchNo],
  );
  await appendAudit(sql, [...ended.flatMap((one) => auditOf(one, now)), ...settled.entries]);
  await countDaily(sql, [...countOutcomes(target, ended, now), ...settled.counts]);
}

function isSomewhere(outcome: TaskOutcome): boolean {
  if (outcome.outcome !== 'erased') return false;
  return outcome.evidence.action !== 'not_found' && outcome.evidence.action !== 'skipped';
}

/** With their requests, which others may be about to settle. Nobody but this batch changes the tasks. */
async function holdTasks(sql: Sql, batchNo: number): Promise<Map<number, TaskRow>> {
  const rows = await sql.all<TaskRow>(
    `SELECT task_no AS "taskNo", request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId", target, reason,
            reserved_day AS "reservedDay", reserved_rows AS "reservedRows"
     FROM @tasks JOIN @requests USING (request_no)
     WHERE batch_no = $1 AND state = 'running'
     ORDER BY request_no FOR UPDATE OF requests`,
    [batchNo],
  );
  return new Map(rows.map((task) => [task.taskNo, task]));
}

async function update(sql: Sql, done: readonly Done[], now: number): Promise<void> {
  if (done.length === 0) return;
  const columns = done.map(({ outcome }) => columnsOf(outcome));
  await sql.run(
    `UPDATE @tasks
     SET state = done.state, phase = coalesce(done.phase, tasks.phase), due_time = done.due_time,
         reason = done.reason, detail = done.detail,
         previewed_rows = coalesce(done.previewed_rows, tasks.previewed_rows),
         evidence = done.evidence, reported = coalesce(done.reported, tasks.reported),
         batch_no = NULL, changed_time = $10
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[],
                 $7::bigint[], $8::text[], $9::text[])
       AS done (task_no, state, phase, due_time, reason, detail, previewed_rows, evidence,
                reported)
     WHERE tasks.task_no = done.task_no`,
    [
      done.map(({ task }) => task.taskNo),
      columns.map(({ state }) => state),
      columns.map(({ phase }) => phase),
      columns.map(({ dueTime }) => dueTime),
      columns.map(({ reason }) => reason && storedText(reason)),
      columns.map(({ detail }) => detail && storedText(detail)),
      columns.map(({ previewedRows }) => previewedRows),
      columns.map(({ evidence }) => evidence && storedJson(evidence)),
      columns.map(({ reported }) => reported && storedJson(reported)),
      now,
    ],
  );
}

function auditOf({ task, outcome }: Done, now: number): AuditEntry[] {
  const entry = auditOfOutcome(outcome, task.reason);
  if (entry === undefined) return [];
  const { controllerId, subjectRequestId, target, requestNo } = task;
  const detail = JSON.stringify({ target, ...entry.detail });
  const { action } = entry;
  return [
    { time: now, actor: 'system', action, controllerId, subjectRequestId, detail, requestNo },
  ];
}

async function addDerived(
  sql: Sql,
  tasks: ReadonlyMap<number, TaskRow>,
  derived: readonly DerivedIdentities[],
): Promise<void> {
  const mine = derived.flatMap(({ taskNo, sealed }) => {
    const task = tasks.get(taskNo);
    return task === undefined ? [] : [{ task, sealed }];
  });
  if (mine.length === 0) return;
  await sql.run(
    `INSERT INTO @added_identities (request_no, source, master_key_id, wrapped_key, sealed)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::bytea[])`,
    [
      mine.map(({ task }) => task.requestNo),
      mine.map(({ task }) => task.target),
      mine.map(({ sealed }) => sealed.masterKeyId),
      mine.map(({ sealed }) => sealed.wrappedKey),
      mine.map(({ sealed }) => sealed.sealed),
    ],
  );
}
