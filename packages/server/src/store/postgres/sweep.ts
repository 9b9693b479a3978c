// What no request needs any more, and what is not a request's own.
import type { Database } from './database.ts';

/** Nobody looks at more requests at once. */
const PAGE = 100_000;

export async function sweep(database: Database, until: number): Promise<void> {
  await deleteUnusedPlans(database, until);
  await database.run('DELETE FROM @alarms WHERE request_no IS NULL AND raised_time <= $1', [until]);
  // Day -1 has the sums of all days.
  await database.run('DELETE FROM @daily_counts WHERE day >= 0 AND day < $1', [
    Math.floor(until / 86_400_000),
  ]);
}

async function deleteUnusedPlans(database: Database, until: number): Promise<void> {
  const plans = await database.all<{ planId: string }>(
    'SELECT plan_id AS "planId" FROM @plans WHERE created_time <= $1',
    [until],
  );
  const unused = new Set(plans.map(({ planId }) => planId));
  // The archive last: a request moves in this direction.
  for (const table of ['@requests', '@archived_requests']) {
    for (let after: number | null = 0; after !== null && unused.size > 0; ) {
      const page: { plans: string[] | null; last: number | null } | undefined = await database.get(
        `SELECT array_agg(DISTINCT plan_id) FILTER (WHERE plan_id IS NOT NULL) AS plans,
                max(request_no) AS last
         FROM (SELECT request_no, plan_id FROM ${table} WHERE request_no > $1
               ORDER BY request_no LIMIT ${PAGE}) AS page`,
        [after],
      );
      for (const planId of page?.plans ?? []) unused.delete(planId);
      after = page?.last ?? null;
    }
  }
  // A start that uses one makes it young again before it commits: one that came in between waits for this,
  // and writes it anew, or this waits for it, and leaves it.
  await database.run('DELETE FROM @plans WHERE plan_id = ANY($1::text[]) AND created_time <= $2', [
    [...unused],
    until,
  ]);
}
