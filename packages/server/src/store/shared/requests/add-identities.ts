// Adds identities for an operator. Targets that were searched without them run again;
// domain/task/identified-tasks.ts decides about each task.

import { type KnownTask, tasksAfterIdentities } from '../../../domain/task/identified-tasks.ts';
import type { Actor, TaskOperator } from '../../../domain/task/operator-ports.ts';
import { rowsOf, type Sql } from '../../sql.ts';
import { addTasks, unblock } from '../tasks/add-tasks.ts';
import { lockTasks } from './lock-requests.ts';

export type Identified = Parameters<TaskOperator['identify']>[1];

/** Runs in a transaction that has locked the request. Returns the targets that get another run. */
export async function addIdentities(
  sql: Sql,
  requestNo: number,
  { sealed, digests }: Identified,
  { actor: source, now }: Actor,
  started: boolean,
): Promise<string[]> {
  // A worker that is about to lease a task may do so without these identities: then the task is seen as
  // running below. A worker that leases a task after this gets the identities too.
  if (started) await lockTasks(sql, requestNo);
  const wasNamed = await hasIdentities(sql, requestNo);
  await sql.run(
    `INSERT INTO @added_identities (request_no, source, master_key_id, wrapped_key, sealed)
     VALUES (:requestNo, :source, :masterKeyId, :wrappedKey, :sealed)`,
    { requestNo, source, ...sealed },
  );
  await sql.run(
    'UPDATE @requests SET identity_count = identity_count + :more WHERE request_no = :requestNo',
    { requestNo, more: digests.length },
  );
  if (!started) return [];
  await addDigests(
    sql,
    digests.map((digest) => ({ digest, requestNo })),
  );
  if (wasNamed) return changeTasks(sql, requestNo, now, null);
  await planAnew(sql, requestNo);
  return [];
}

/** Counts sealed sets, because someone else may have written the number in the request's row. */
async function hasIdentities(sql: Sql, requestNo: number): Promise<boolean> {
  const found = await sql.get(
    `SELECT 1 AS found FROM @sealed_identities WHERE request_no = :requestNo
     UNION ALL SELECT 1 AS found FROM @added_identities WHERE request_no = :requestNo LIMIT 1`,
    { requestNo },
  );
  return found !== undefined;
}

export async function addDigests(
  sql: Sql,
  digests: readonly { readonly digest: Uint8Array; readonly requestNo: number }[],
): Promise<void> {
  if (digests.length === 0) return;
  await sql.run(
    `INSERT INTO @identity_digests (digest, request_no)
     SELECT decode(digest, 'hex'), "requestNo"
     FROM json_to_recordset(:digests::json) AS added (digest text, "requestNo" bigint)
     WHERE true ON CONFLICT DO NOTHING`,
    { digests: rowsOf(digests) },
  );
}

/** The request had no identities before: plan its tasks again. */
async function planAnew(sql: Sql, requestNo: number): Promise<void> {
  await sql.run(`DELETE FROM @tasks WHERE request_no = :requestNo AND state = 'held'`, {
    requestNo,
  });
  await sql.run('UPDATE @requests SET plan_id = NULL WHERE request_no = :requestNo', { requestNo });
}

export function readKnownTasks(sql: Sql, requestNo: number): Promise<KnownTask[]> {
  return sql.all<KnownTask>(
    `SELECT task_no AS "taskNo", target, run, connector, phase, resolves = 1 AS resolves, state,
            due_time AS "dueTime", reason, detail, changed_time AS "changedTime",
            waits_for AS "waitsFor",
            evidence::json ->> 'action' AS action,
            reported IS NOT NULL AS "hasErased"
     FROM @tasks AS tasks WHERE request_no = :requestNo ORDER BY task_no`,
    { requestNo },
  );
}

/** Called when the identities of the request have changed. Returns the targets that get another run. */
export async function changeTasks(
  sql: Sql,
  requestNo: number,
  now: number,
  /** Who asked for its open runs, if it was completed. */
  asked: Actor | null,
): Promise<string[]> {
  const tasks = await readKnownTasks(sql, requestNo);
  const { runs, changed } = tasksAfterIdentities(requestNo, tasks, now);
  await addTasks(sql, runs, now, asked);
  await sql.run(
    `UPDATE @tasks
     SET phase = it.phase, state = it.state, due_time = it."dueTime", reason = it.reason,
         detail = it.detail, changed_time = it."changedTime"
     FROM json_to_recordset(:changed::json) AS it
       ("taskNo" bigint, phase text, state text, "dueTime" bigint, reason text, detail text,
        "changedTime" bigint)
     WHERE tasks.task_no = it."taskNo"`,
    { changed: rowsOf(changed) },
  );
  await unblock(sql, [requestNo], now);
  return runs.map(({ target }) => target);
}
