import type { NewIntent } from '../../domain/fulfilment-ports.ts';
import type { IntentEnd } from '../../domain/task.ts';
import type { Sql } from './database.ts';

/** Inside the caller's transaction. A later preview of the same task replaces what is there. */
export async function recordIntents(
  sql: Sql,
  intents: readonly NewIntent[],
  now: number,
): Promise<void> {
  if (intents.length === 0) return;
  const last = [...new Map(intents.map((intent) => [intent.taskNo, intent])).values()];
  await sql.run(
    `INSERT INTO @intents
       (task_no, counts, retained, first_time, master_key_id, wrapped_key, sealed,
        intent_state, plan)
     SELECT task_no, counts, retained, $7::bigint, master_key_id, wrapped_key, sealed,
            intent_state, plan
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::bytea[],
                 $8::text[], $9::text[])
       AS found (task_no, counts, retained, master_key_id, wrapped_key, sealed,
                 intent_state, plan)
     ON CONFLICT (task_no) DO UPDATE
     SET intent_state = excluded.intent_state, plan = excluded.plan,
         counts = excluded.counts, retained = excluded.retained,
         master_key_id = excluded.master_key_id, wrapped_key = excluded.wrapped_key,
         sealed = excluded.sealed`,
    [
      last.map(({ taskNo }) => taskNo),
      last.map(({ counts }) => JSON.stringify(counts)),
      last.map(({ retained }) => JSON.stringify(retained)),
      last.map(({ keys }) => keys.masterKeyId),
      last.map(({ keys }) => keys.wrappedKey),
      last.map(({ keys }) => keys.sealed),
      now,
      last.map(({ state }) => state),
      last.map(({ plan }) => plan),
    ],
  );
  const known = last.filter(({ reported }) => reported !== null);
  if (known.length === 0) return;
  await sql.run(
    `UPDATE @tasks SET reported = known.reported
     FROM unnest($1::bigint[], $2::text[]) AS known (task_no, reported)
     WHERE tasks.task_no = known.task_no`,
    [known.map(({ taskNo }) => taskNo), known.map(({ reported }) => JSON.stringify(reported))],
  );
}

/** Inside the caller's transaction: how far the attempts came. */
export async function endIntents(
  sql: Sql,
  ends: readonly { readonly taskNo: number; readonly state: IntentEnd }[],
): Promise<void> {
  if (ends.length === 0) return;
  await sql.run(
    `UPDATE @intents SET intent_state = ended.state
     FROM unnest($1::bigint[], $2::text[]) AS ended (task_no, state)
     WHERE intents.task_no = ended.task_no`,
    [ends.map(({ taskNo }) => taskNo), ends.map(({ state }) => state)],
  );
}

/** Inside the caller's transaction: nothing of it is claimed or carried on any more. */
export async function voidIntent(sql: Sql, taskNo: number): Promise<void> {
  await sql.run(`UPDATE @intents SET intent_state = 'recorded', plan = 'void' WHERE task_no = $1`, [
    taskNo,
  ]);
}
