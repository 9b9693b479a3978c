import type { NewIntent } from '../../domain/fulfilment-ports.ts';
import type { Sql } from './database.ts';

/** Inside the caller's transaction. A later preview of the same task adds to what is there. */
export async function recordIntents(
  sql: Sql,
  intents: readonly NewIntent[],
  now: number,
): Promise<void> {
  if (intents.length === 0) return;
  const last = [...new Map(intents.map((intent) => [intent.taskNo, intent])).values()];
  await sql.run(
    `INSERT INTO @intents
       (task_no, counts, retained, first_time, master_key_id, wrapped_key, sealed)
     SELECT task_no, counts, retained, $7::bigint, master_key_id, wrapped_key, sealed
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::bytea[])
       AS found (task_no, counts, retained, master_key_id, wrapped_key, sealed)
     ON CONFLICT (task_no) DO UPDATE
     SET counts = excluded.counts, retained = excluded.retained,
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
    ],
  );
}
