import type { NewIntent } from '../../../domain/task/fulfilment-ports.ts';
import type { IntentEnd } from '../../../domain/task/task.ts';
import { rowsOf, type Sql } from '../../sql.ts';

/** Runs in the caller's transaction. A later preview of the same task replaces its intent. */
export async function recordIntents(
  sql: Sql,
  intents: readonly NewIntent[],
  now: number,
): Promise<void> {
  if (intents.length === 0) return;
  const last = [...new Map(intents.map((intent) => [intent.taskNo, intent])).values()];
  const rows = last.map(({ taskNo, state, plan, counts, retained, keys }) => ({
    taskNo,
    state,
    plan,
    counts: JSON.stringify(counts),
    retained: JSON.stringify(retained),
    masterKeyId: keys.masterKeyId,
    wrappedKey: keys.wrappedKey,
    sealed: keys.sealed,
  }));
  await sql.run(
    `INSERT INTO @intents
       (task_no, intent_state, plan, counts, retained, first_time, master_key_id, wrapped_key,
        sealed)
     SELECT "taskNo", state, plan, counts, retained, :now::bigint, "masterKeyId",
            decode("wrappedKey", 'hex'), decode(sealed, 'hex')
     FROM json_to_recordset(:rows::json) AS found
       ("taskNo" bigint, state text, plan text, counts text, retained text, "masterKeyId" text,
        "wrappedKey" text, sealed text)
     WHERE true
     ON CONFLICT (task_no) DO UPDATE
     SET intent_state = excluded.intent_state, plan = excluded.plan,
         counts = excluded.counts, retained = excluded.retained,
         master_key_id = excluded.master_key_id, wrapped_key = excluded.wrapped_key,
         sealed = excluded.sealed`,
    { rows: rowsOf(rows), now },
  );
}

/** Records how far the attempts got. Runs in the caller's transaction. */
export async function endIntents(
  sql: Sql,
  ends: readonly { readonly taskNo: number; readonly state: IntentEnd }[],
): Promise<void> {
  for (const [state, those] of Map.groupBy(ends, (end) => end.state)) {
    await sql.run(
      'UPDATE @intents SET intent_state = :state WHERE task_no = ANY(:taskNos::bigint[])',
      { state, taskNos: those.map(({ taskNo }) => taskNo) },
    );
  }
}
