import type { DatabaseSync } from 'node:sqlite';
import type { NewIntent } from '../../domain/fulfilment-ports.ts';
import type { IntentEnd } from '../../domain/task.ts';

/** Inside the caller's transaction. A later preview of the same task replaces what is there. */
export function prepareRecordIntent(database: DatabaseSync) {
  const upsert = database.prepare(`
    INSERT INTO intents (task_no, intent_state, plan, counts, retained, first_time,
                         master_key_id, wrapped_key, sealed)
    VALUES (:taskNo, :state, :plan, :counts, :retained, :now,
            :masterKeyId, :wrappedKey, :sealed)
    ON CONFLICT (task_no) DO UPDATE
    SET intent_state = excluded.intent_state, plan = excluded.plan,
        counts = excluded.counts, retained = excluded.retained,
        master_key_id = excluded.master_key_id, wrapped_key = excluded.wrapped_key,
        sealed = excluded.sealed
  `);
  const keepReported = database.prepare('UPDATE tasks SET reported = ? WHERE task_no = ?');
  return (intent: NewIntent, now: number): void => {
    const { taskNo, state, plan, counts, retained, reported, keys } = intent;
    upsert.run({
      taskNo,
      state,
      plan,
      counts: JSON.stringify(counts),
      retained: JSON.stringify(retained),
      now,
      masterKeyId: keys.masterKeyId,
      wrappedKey: keys.wrappedKey,
      sealed: keys.sealed,
    });
    if (reported !== null) keepReported.run(JSON.stringify(reported), taskNo);
  };
}

/** Inside the caller's transaction: how far the attempt came. */
export function prepareEndIntent(database: DatabaseSync) {
  const update = database.prepare('UPDATE intents SET intent_state = ? WHERE task_no = ?');
  return (taskNo: number, state: IntentEnd): void => {
    update.run(state, taskNo);
  };
}

/** Inside the caller's transaction: nothing of it is claimed or carried on any more. */
export function prepareVoidIntent(database: DatabaseSync) {
  const update = database.prepare(
    "UPDATE intents SET intent_state = 'recorded', plan = 'void' WHERE task_no = ?",
  );
  return (taskNo: number): void => {
    update.run(taskNo);
  };
}
