import type { Sql } from './database.ts';

/** Inside a transaction that holds these requests. The last target to resolve lets all of them erase. */
export async function unblock(sql: Sql, requestNos: readonly number[], now: number): Promise<void> {
  await sql.run(
    `UPDATE @tasks SET due_time = $2
     WHERE request_no = ANY($1::bigint[]) AND phase = 'erase' AND state = 'waiting'
       AND due_time IS NULL AND NOT EXISTS (
         SELECT 1 FROM @tasks AS other WHERE other.request_no = tasks.request_no
           AND other.phase = 'resolve' AND other.state <> 'erased')`,
    [requestNos, now],
  );
}
