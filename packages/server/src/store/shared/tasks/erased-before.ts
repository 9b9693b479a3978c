import type { Sql } from '../../sql.ts';

const MOST_NAMED = 10;

/**
 * Who had the same people erased at this target. For a task with an intent, only since then: it shares
 * its missing rows with no request before. For one without, also who is older and about to in the same
 * batch: an attempt that died after erasing leaves the younger nothing else to know it by. Digests
 * include the controller, so that only requests of the same one are ever named.
 */
export async function erasedBefore(
  sql: Sql,
  taskNos: readonly number[],
): Promise<Map<number, string[]>> {
  const rows = await sql.all<{ taskNo: number; id: string }>(
    // Forces the join on digests first, against the planner's choice: all tasks are at few targets.
    `WITH same AS MATERIALIZED (
       SELECT DISTINCT mine.task_no, mine.request_no, mine.target, mine.batch_no,
              their_digest.request_no AS their_request_no
       FROM @tasks AS mine
       JOIN @identity_digests AS my_digest ON my_digest.request_no = mine.request_no
       JOIN @identity_digests AS their_digest
         ON their_digest.digest = my_digest.digest AND their_digest.request_no <> mine.request_no
       WHERE mine.task_no = ANY(:taskNos::bigint[])
     ), erased AS MATERIALIZED (
       SELECT DISTINCT same.task_no, theirs.request_no
       FROM same
       JOIN @tasks AS theirs
         ON theirs.request_no = same.their_request_no AND theirs.target = same.target
       LEFT JOIN @intents AS my_intent ON my_intent.task_no = same.task_no
       LEFT JOIN @intents AS their_intent ON their_intent.task_no = theirs.task_no
       WHERE CASE
         WHEN theirs.state = 'erased' THEN theirs.evidence::json ->> 'action' = 'erased'
           AND (my_intent.task_no IS NULL OR theirs.changed_time > my_intent.first_time)
         ELSE my_intent.task_no IS NULL AND their_intent.task_no IS NOT NULL
           AND theirs.state = 'running' AND theirs.batch_no = same.batch_no
           AND theirs.request_no < same.request_no
       END
     ), oldest AS (
       SELECT task_no, request_no,
              row_number() OVER (PARTITION BY task_no ORDER BY request_no) AS place
       FROM erased
     )
     SELECT task_no AS "taskNo", subject_request_id AS id
     FROM oldest JOIN @all_requests AS requests USING (request_no)
     WHERE place <= ${MOST_NAMED} ORDER BY task_no, request_no`,
    { taskNos },
  );
  const found = new Map<number, string[]>();
  for (const { taskNo, id } of rows) found.set(taskNo, [...(found.get(taskNo) ?? []), id]);
  return found;
}
