import type { Sql } from './database.ts';

/**
 * Who had the same people erased at this target. For a task with an intent, only since then: it shares
 * its missing rows with nobody before. For one without, also who is older and about to in the same
 * batch: an attempt that died after erasing leaves the younger nothing else to know it by. Digests
 * include the controller, so that only requests of the same one are ever named.
 */
export async function erasedBefore(
  sql: Sql,
  taskNos: readonly number[],
): Promise<Map<number, string[]>> {
  const rows = await sql.all<{ taskNo: number; id: string }>(
    `SELECT asked.task_no AS "taskNo", found.id
     FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (task_no, place)
     CROSS JOIN LATERAL (
       SELECT DISTINCT older.request_no, older.subject_request_id AS id
       FROM @tasks AS mine
       JOIN @identity_digests AS my_digest ON my_digest.request_no = mine.request_no
       JOIN @identity_digests AS their_digest
         ON their_digest.digest = my_digest.digest AND their_digest.request_no <> mine.request_no
       JOIN @tasks AS theirs
         ON theirs.request_no = their_digest.request_no AND theirs.target = mine.target
       JOIN @all_requests AS older ON older.request_no = theirs.request_no
       LEFT JOIN @intents AS my_intent ON my_intent.task_no = mine.task_no
       LEFT JOIN @intents AS their_intent ON their_intent.task_no = theirs.task_no
       WHERE mine.task_no = asked.task_no AND CASE
         WHEN theirs.state = 'erased' THEN theirs.evidence::json ->> 'action' = 'erased'
           AND (my_intent.task_no IS NULL OR theirs.changed_time > my_intent.first_time)
         ELSE my_intent.task_no IS NULL AND their_intent.task_no IS NOT NULL
           AND theirs.state = 'running' AND theirs.batch_no = mine.batch_no
           AND theirs.request_no < mine.request_no
       END
       ORDER BY older.request_no LIMIT 10
     ) AS found
     ORDER BY asked.place, found.request_no`,
    [taskNos],
  );
  const found = new Map<number, string[]>();
  for (const { taskNo, id } of rows) found.set(taskNo, [...(found.get(taskNo) ?? []), id]);
  return found;
}
