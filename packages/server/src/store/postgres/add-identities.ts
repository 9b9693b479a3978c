// Identities that an operator adds: what was done without them is done again.
import type { Actor, TaskOperator } from '../../domain/operator-ports.ts';
import type { Sql } from './database.ts';
import { lockTasks } from './lock-requests.ts';
import { unblock } from './unblock.ts';

export type Identified = Parameters<TaskOperator['identify']>[1];

/** Inside a transaction that holds the request. */
export async function addIdentities(
  sql: Sql,
  requestNo: number,
  { sealed, digests }: Identified,
  { actor: source, now }: Actor,
  started: boolean,
): Promise<void> {
  // A worker that is about to take a task may do so without these identities: then it is seen as running
  // below. Whoever takes one after this takes it with them.
  if (started) await lockTasks(sql, requestNo);
  await sql.run(
    `INSERT INTO @added_identities (request_no, source, master_key_id, wrapped_key, sealed)
     VALUES ($1, $2, $3, $4, $5)`,
    [requestNo, source, sealed.masterKeyId, sealed.wrappedKey, sealed.sealed],
  );
  const counted = await sql.get<{ count: number }>(
    `UPDATE @requests SET identity_count = identity_count + $2 WHERE request_no = $1
     RETURNING identity_count - $2 AS count`,
    [requestNo, digests.length],
  );
  if (!started) return;
  await sql.run(
    `INSERT INTO @identity_digests (digest, request_no)
     SELECT digest, $2::bigint FROM unnest($1::bytea[]) AS added (digest)
     ON CONFLICT DO NOTHING`,
    [digests, requestNo],
  );
  if (counted?.count === 0) {
    await planAnew(sql, requestNo);
    return;
  }
  await runAgain(sql, requestNo, now);
  await sql.run(
    `UPDATE @tasks
     SET state = 'waiting', due_time = CASE WHEN phase = 'resolve' THEN $2::bigint END,
         reason = NULL, detail = NULL, changed_time = $2
     WHERE request_no = $1 AND state = 'held' AND reason = 'no_usable_identity'`,
    [requestNo, now],
  );
  await resolveFirst(sql, requestNo, now);
  await unblock(sql, [requestNo], now);
}

/** It named nobody before. */
async function planAnew(sql: Sql, requestNo: number): Promise<void> {
  await sql.run(`DELETE FROM @tasks WHERE request_no = $1 AND state = 'held'`, [requestNo]);
  await sql.run('UPDATE @requests SET plan_id = NULL WHERE request_no = $1', [requestNo]);
}

/**
 * Another run of what is done or under way. A person who did it, or who decided to retain, is asked
 * again. A target that resolves does so for the added identities too, even while it is held.
 */
async function runAgain(sql: Sql, requestNo: number, now: number): Promise<void> {
  await sql.run(
    `INSERT INTO @tasks
       (request_no, target, run, connector, phase, resolves, state, due_time, reason, detail,
        changed_time)
     SELECT request_no, target, run + 1, connector,
            CASE WHEN hold IS NULL AND resolves = 1 THEN 'resolve' ELSE 'erase' END, resolves,
            CASE WHEN hold IS NULL THEN 'waiting' ELSE 'held' END,
            CASE WHEN hold IS NULL AND resolves = 1 THEN $2::bigint END, hold,
            CASE hold
              WHEN 'manual' THEN 'identities were added: a person has to look again, and to confirm it'
              WHEN 'retained_before' THEN
                'identities were added, and this target was retained before: release, or retain again'
            END, $2::bigint
     FROM (
       SELECT *, CASE WHEN connector = 'manual' THEN 'manual'
                      WHEN evidence::json ->> 'action' = 'retained' THEN 'retained_before' END AS hold
       FROM @tasks AS last
       WHERE request_no = $1
         AND (state IN ('erased', 'running')
           OR (state = 'held' AND phase = 'erase' AND resolves = 1))
         AND run = (SELECT max(run) FROM @tasks AS newer
           WHERE newer.request_no = $1 AND newer.target = last.target)
     ) AS done
     ORDER BY task_no`,
    [requestNo, now],
  );
}

/** What has resolved and not erased goes back; what would erase waits until all have resolved. */
async function resolveFirst(sql: Sql, requestNo: number, now: number): Promise<void> {
  await sql.run(
    `UPDATE @tasks SET phase = 'resolve', state = 'waiting', due_time = $2, changed_time = $2
     WHERE request_no = $1 AND resolves = 1 AND phase = 'erase' AND state IN ('waiting', 'failed')
       AND run = (SELECT max(run) FROM @tasks AS newer
         WHERE newer.request_no = $1 AND newer.target = tasks.target)`,
    [requestNo, now],
  );
  await sql.run(
    `UPDATE @tasks SET state = 'waiting', due_time = NULL
     WHERE request_no = $1 AND phase = 'erase' AND state IN ('waiting', 'failed')
       AND EXISTS (SELECT 1 FROM @tasks AS other
         WHERE other.request_no = $1 AND other.phase = 'resolve' AND other.state <> 'erased')`,
    [requestNo],
  );
}
