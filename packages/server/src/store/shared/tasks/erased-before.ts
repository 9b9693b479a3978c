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

/** Finds them by the digests that are stored with the tasks. */
const SAME_DIGEST = `
  SELECT DISTINCT mine.task_no, mine.request_no, mine.target, mine.batch_no,
         their_digest.request_no AS their_request_no
  FROM @tasks AS mine
  JOIN @identity_digests AS my_digest ON my_digest.request_no = mine.request_no
  JOIN @identity_digests AS their_digest
    ON their_digest.digest = my_digest.digest AND their_digest.request_no <> mine.request_no
  WHERE mine.task_no = ANY(:taskNos::bigint[])`;

/** Finds them by digests made with other keys, for one task. */
const GIVEN_DIGESTS = `
  SELECT DISTINCT mine.task_no, mine.request_no, mine.target, mine.batch_no,
         their_digest.request_no AS their_request_no
  FROM @identity_digests AS their_digest
  JOIN @tasks AS mine
    ON mine.task_no = :taskNo AND their_digest.request_no <> mine.request_no
  WHERE their_digest.digest = ANY(:digests::bytea[])`;

/**
 * The requests that may have erased the same people before, oldest first, by task. Digests include the controller, so
 * only requests of the same controller are named. However many there are, only the oldest of each kind are read.
 */
export async function erasedBefore(
  sql: Sql,
  tasks: readonly AskedTask[],
): Promise<Map<number, string[]>> {
  const rows = await othersOf(sql, SAME_DIGEST, { taskNos: tasks.map(({ taskNo }) => taskNo) });
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
  same: string,
  values: Parameters<Sql['all']>[1],
): Promise<OtherRow[]> {
  return sql.all<OtherRow>(
    // Forces the join on digests first, against the planner's choice: all tasks are at few targets.
    `WITH same AS MATERIALIZED (${same}
     ), others AS MATERIALIZED (
       SELECT DISTINCT same.task_no AS "taskNo", theirs.request_no, theirs.state,
              theirs.evidence::json ->> 'action' AS action,
              their_intent.task_no IS NOT NULL AS "hasIntent",
              coalesce(theirs.batch_no = same.batch_no, false) AS "isInSameBatch",
              theirs.request_no < same.request_no AS "isOlder",
              my_intent.task_no IS NOT NULL AS "hasOwnIntent",
              coalesce(theirs.changed_time > my_intent.first_time, false) AS "isAfterOwnIntent"
       FROM same
       JOIN @tasks AS theirs
         ON theirs.request_no = same.their_request_no AND theirs.target = same.target
       LEFT JOIN @intents AS my_intent ON my_intent.task_no = same.task_no
       LEFT JOIN @intents AS their_intent ON their_intent.task_no = theirs.task_no
       WHERE theirs.state IN ('erased', 'running')
     ), oldest AS (
       SELECT others.*, row_number() OVER (
         PARTITION BY "taskNo", state, action, "hasIntent", "isInSameBatch", "isOlder",
           "hasOwnIntent", "isAfterOwnIntent" ORDER BY request_no) AS place
       FROM others
     )
     SELECT oldest.*, request_no AS "requestNo", subject_request_id AS id
     FROM oldest JOIN @all_requests AS requests USING (request_no)
     WHERE place <= ${MAX_NAMED} ORDER BY request_no`,
    values,
  );
}
