import {
  MAX_NAMED,
  mayHaveErasedBefore,
  type OtherTask,
} from '../../../domain/task/erased-before.ts';
import type { AskedTask } from '../../../domain/task/fulfilment-ports.ts';
import type { Sql } from '../../sql.ts';

interface OtherRow extends OtherTask {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly id: string;
}

/** The tasks that ask, with the digests that are stored with their requests. */
const STORED_DIGESTS = `
  SELECT asking.task_no, asking.request_no, asking.target, asking.batch_no, digests.digest
  FROM @tasks AS asking
  JOIN @identity_digests AS digests ON digests.request_no = asking.request_no
  WHERE asking.task_no = ANY(:taskNos::bigint[])`;

/** One task that asks, with digests made with other keys. */
const GIVEN_DIGESTS = `
  SELECT DISTINCT asking.task_no, asking.request_no, asking.target, asking.batch_no, digests.digest
  FROM @identity_digests AS digests
  JOIN @tasks AS asking ON asking.task_no = :taskNo
  WHERE digests.digest = ANY(:digests::bytea[])`;

/**
 * The requests that may have erased the same people before, oldest first, by task. Digests include the controller, so
 * only requests of the same controller are found; rows that someone else added for another are left out. However many
 * there are, only the oldest of each kind are read.
 */
export async function erasedBefore(
  sql: Sql,
  tasks: readonly AskedTask[],
): Promise<Map<number, string[]>> {
  const rows = await othersOf(sql, STORED_DIGESTS, { taskNos: tasks.map(({ taskNo }) => taskNo) });
  for (const { taskNo, digests } of tasks.filter((task) => task.digests.length > 0)) {
    rows.push(...(await othersOf(sql, GIVEN_DIGESTS, { taskNo, digests })));
  }
  const found = new Map<number, Map<number, string>>();
  for (const row of rows.filter(mayHaveErasedBefore)) {
    const named = found.get(row.taskNo) ?? new Map<number, string>();
    found.set(row.taskNo, named.set(row.requestNo, row.id));
  }
  return new Map([...found].map(([taskNo, named]) => [taskNo, oldest(named)]));
}

function oldest(named: ReadonlyMap<number, string>): string[] {
  const inOrder = [...named].sort(([a], [b]) => a - b);
  return inOrder.slice(0, MAX_NAMED).map(([, id]) => id);
}

async function othersOf(
  sql: Sql,
  asking: string,
  values: Parameters<Sql['all']>[1],
): Promise<OtherRow[]> {
  return sql.all<OtherRow>(
    // Forces the join on digests first, against the planner's choice: all tasks are at few targets. The tasks of a
    // person are read once for each digest, and few of them have erased anything (measured where a controller had sent
    // 9,000 requests about one person: 33 ms for a batch; joined with each task that asks, 68 ms for each).
    `WITH mine AS MATERIALIZED (${asking}
     ), digests AS MATERIALIZED (
       SELECT DISTINCT digest, target FROM mine
     ), same AS MATERIALIZED (
       SELECT digests.digest, digests.target, their_digest.request_no
       FROM digests JOIN @identity_digests AS their_digest ON their_digest.digest = digests.digest
     ), theirs AS MATERIALIZED (
       SELECT same.digest, same.target, their_task.request_no, their_task.state,
              their_task.batch_no, their_task.changed_time,
              their_task.evidence::json ->> 'action' AS action,
              their_task.reported IS NOT NULL AS "hasReported",
              their_intent.task_no IS NOT NULL AS "hasIntent"
       FROM same
       JOIN @tasks AS their_task
         ON their_task.request_no = same.request_no AND their_task.target = same.target
       LEFT JOIN @intents AS their_intent ON their_intent.task_no = their_task.task_no
       WHERE (their_task.state = 'erased' AND (their_task.reported IS NOT NULL
                OR their_task.evidence::json ->> 'action' = 'erased'))
          OR (their_task.state = 'running' AND their_intent.task_no IS NOT NULL)
     ), others AS MATERIALIZED (
       SELECT DISTINCT mine.task_no AS "taskNo", theirs.request_no, theirs.state, theirs.action,
              theirs."hasReported", theirs."hasIntent",
              coalesce(theirs.batch_no = mine.batch_no, false) AS "isInSameBatch",
              theirs.request_no < mine.request_no AS "isOlder",
              my_intent.task_no IS NOT NULL AS "hasOwnIntent",
              coalesce(theirs.changed_time > my_intent.first_time, false) AS "isAfterOwnIntent"
       FROM theirs
       JOIN mine ON mine.digest = theirs.digest AND mine.target = theirs.target
         AND mine.request_no <> theirs.request_no
       LEFT JOIN @intents AS my_intent ON my_intent.task_no = mine.task_no
     ), oldest AS (
       SELECT others.*, row_number() OVER (
         PARTITION BY "taskNo", state, action, "hasReported", "hasIntent", "isInSameBatch", "isOlder",
           "hasOwnIntent", "isAfterOwnIntent" ORDER BY request_no) AS place
       FROM others
     )
     SELECT oldest.*, oldest.request_no AS "requestNo", other.subject_request_id AS id
     FROM oldest JOIN @all_requests AS other ON other.request_no = oldest.request_no
     JOIN @tasks AS asking ON asking.task_no = oldest."taskNo"
     JOIN @all_requests AS own ON own.request_no = asking.request_no
     WHERE place <= ${MAX_NAMED} AND own.controller_id = other.controller_id
     ORDER BY oldest.request_no`,
    values,
  );
}
