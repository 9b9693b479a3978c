// Identities that an operator adds: what was done without them is done again.
import type { DatabaseSync } from 'node:sqlite';
import type { Actor, TaskOperator } from '../../domain/operator-ports.ts';
import { prepareUnblock } from './record-outcomes.ts';

export type Identified = Parameters<TaskOperator['identify']>[1];

/** Inside the caller's transaction. */
export function prepareAddIdentities(database: DatabaseSync) {
  const insert = database.prepare(`
    INSERT INTO added_identities (request_no, source, master_key_id, wrapped_key, sealed)
    VALUES (:requestNo, :source, :masterKeyId, :wrappedKey, :sealed)
  `);
  const insertDigest = database.prepare(
    'INSERT INTO identity_digests (digest, request_no) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const count = database.prepare(
    'UPDATE requests SET identity_count = identity_count + ? WHERE request_no = ?',
  );
  const namesNobody = database.prepare(
    'SELECT identity_count = 0 AS nobody FROM requests WHERE request_no = ?',
  );
  const dropTasks = database.prepare("DELETE FROM tasks WHERE request_no = ? AND state = 'held'");
  const planAnew = database.prepare('UPDATE requests SET plan_id = NULL WHERE request_no = ?');
  const runAgain = prepareRunAgain(database);
  const goOn = database.prepare(`
    UPDATE tasks
    SET state = 'waiting', due_time = iif(phase = 'resolve', :now, NULL), reason = NULL,
        detail = NULL, changed_time = :now
    WHERE request_no = :requestNo AND state = 'held' AND reason = 'no_usable_identity'
  `);
  const resolveFirst = prepareResolveFirst(database);
  const unblock = prepareUnblock(database);

  return (
    requestNo: number,
    { sealed, digests }: Identified,
    by: Actor,
    started: boolean,
  ): void => {
    const { masterKeyId, wrappedKey } = sealed;
    const { actor: source, now } = by;
    insert.run({ requestNo, source, masterKeyId, wrappedKey, sealed: sealed.sealed });
    const nobody = namesNobody.get(requestNo)?.nobody === 1;
    count.run(digests.length, requestNo);
    if (!started) return;
    for (const digest of digests) insertDigest.run(digest, requestNo);
    if (nobody) {
      dropTasks.run(requestNo);
      planAnew.run(requestNo);
      return;
    }
    runAgain.run({ requestNo, now });
    goOn.run({ requestNo, now });
    resolveFirst(requestNo, now);
    unblock(requestNo, now);
  };
}

/**
 * Another run of what is done or under way. A person who did it, or who decided to retain, is asked
 * again. A target that resolves does so for the added identities too, even while it is held.
 */
function prepareRunAgain(database: DatabaseSync) {
  return database.prepare(`
    INSERT INTO tasks
      (request_no, target, run, connector, phase, resolves, state, due_time, reason, detail,
       changed_time)
    SELECT request_no, target, run + 1, connector, iif(hold IS NULL AND resolves, 'resolve', 'erase'),
           resolves, iif(hold IS NULL, 'waiting', 'held'), iif(hold IS NULL AND resolves, :now, NULL),
           hold,
           CASE hold
             WHEN 'manual' THEN 'identities were added: a person has to look again, and to confirm it'
             WHEN 'retained_before' THEN
               'identities were added, and this target was retained before: release, or retain again'
           END, :now
    FROM (
      SELECT *, CASE WHEN connector = 'manual' THEN 'manual'
                     WHEN evidence ->> '$.action' = 'retained' THEN 'retained_before' END AS hold
      FROM tasks AS last
      WHERE request_no = :requestNo
        AND (state IN ('erased', 'running') OR (state = 'held' AND phase = 'erase' AND resolves))
        AND run = (SELECT max(run) FROM tasks WHERE request_no = :requestNo AND target = last.target)
    )
  `);
}

/** What has resolved and not erased goes back; what would erase waits until all have resolved. */
function prepareResolveFirst(database: DatabaseSync) {
  const goBack = database.prepare(`
    UPDATE tasks SET phase = 'resolve', state = 'waiting', due_time = :now, changed_time = :now
    WHERE request_no = :requestNo AND resolves AND phase = 'erase'
      AND state IN ('waiting', 'failed')
      AND run = (SELECT max(run) FROM tasks AS newer
        WHERE newer.request_no = :requestNo AND newer.target = tasks.target)
  `);
  const block = database.prepare(`
    UPDATE tasks SET state = 'waiting', due_time = NULL
    WHERE request_no = :requestNo AND phase = 'erase' AND state IN ('waiting', 'failed')
      AND EXISTS (SELECT 1 FROM tasks
        WHERE request_no = :requestNo AND phase = 'resolve' AND state <> 'erased')
  `);
  return (requestNo: number, now: number): void => {
    goBack.run({ requestNo, now });
    block.run({ requestNo });
  };
}
