// Tasks that looked up identities before another target found more: they look up again, and until then no
// target of the request erases.
import type { Sql } from '../../sql.ts';

/** Counts the sets of identities of each request: as submitted (if there are any), derived, and added later. */
export async function countIdentitySets(
  sql: Sql,
  requestNos: readonly number[],
): Promise<Map<number, number>> {
  const rows = await sql.all<{ requestNo: number; sets: number }>(
    `SELECT request_no AS "requestNo", count(*) AS sets FROM (
       SELECT request_no FROM @sealed_identities WHERE request_no = ANY(:requestNos::bigint[])
       UNION ALL
       SELECT request_no FROM @added_identities WHERE request_no = ANY(:requestNos::bigint[])
     ) AS identities GROUP BY request_no`,
    { requestNos },
  );
  return new Map(rows.map(({ requestNo, sets }) => [requestNo, Number(sets)]));
}

/** The other tasks of these requests that have finished their lookup and wait for others. */
export async function resolvedWithout(
  sql: Sql,
  found: readonly { readonly requestNo: number; readonly taskNo: number }[],
): Promise<number[]> {
  const waiting = await sql.all<{ taskNo: number; requestNo: number }>(
    `SELECT task_no AS "taskNo", request_no AS "requestNo" FROM @tasks
     WHERE request_no = ANY(:requestNos::bigint[]) AND resolves = 1 AND phase = 'erase'
       AND state = 'waiting' AND due_time IS NULL`,
    { requestNos: found.map(({ requestNo }) => requestNo) },
  );
  const finders = new Set(found.map(({ taskNo }) => taskNo));
  return waiting.flatMap(({ taskNo }) => (finders.has(taskNo) ? [] : taskNo));
}

export async function resolveAgain(
  sql: Sql,
  taskNos: readonly number[],
  now: number,
): Promise<void> {
  if (taskNos.length === 0) return;
  await sql.run(
    `UPDATE @tasks SET phase = 'resolve', due_time = :now WHERE task_no = ANY(:taskNos::bigint[])`,
    { taskNos, now },
  );
}
