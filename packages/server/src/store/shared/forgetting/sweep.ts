// Deletes rows that no request needs any more, and rows that belong to no request.
import { dayOf } from '../../../domain/limit/day.ts';
import { BLOCK } from '../../../domain/statistics/count-arrivals.ts';
import type { Database, Sql } from '../../sql.ts';
import { forgetDigestsOfNewest } from './forget-requests.ts';

/** Maximum number of requests that one statement reads. */
const PAGE = 100_000;

export async function sweep(database: Database, until: number): Promise<void> {
  await forgetDigestsOfNewest(database, until);
  await deleteUnusedPlans(database, until);
  await database.run('DELETE FROM @alarms WHERE request_no IS NULL AND raised_time <= :until', {
    until,
  });
  await database.run('DELETE FROM @legal_holds WHERE ended_time <= :until', { until });
  await database.transaction((sql) => forgetClosed(sql, until));
  // Day -1 holds the sums of all days.
  await database.run('DELETE FROM @daily_counts WHERE day >= 0 AND day < :day', {
    day: dayOf(until),
  });
  await sweepStatistics(database, dayOf(until));
}

/** Controllers whose contract ended that long ago, when none of their requests is left. */
async function forgetClosed(sql: Sql, until: number): Promise<void> {
  const closed = await sql.all<{ id: string }>(
    `SELECT controller_id AS id FROM @controllers AS closed
     WHERE closed_time <= :until
       AND NOT EXISTS (SELECT 1 FROM @all_requests AS own
         WHERE own.controller_id = closed.controller_id)
       AND NOT EXISTS (SELECT 1 FROM @legal_holds AS own
         WHERE own.controller_id = closed.controller_id)
     FOR UPDATE`,
    { until },
  );
  if (closed.length === 0) return;
  const ids = closed.map(({ id }) => id);
  await sql.run(
    `DELETE FROM @client_secrets WHERE client_id IN
       (SELECT client_id FROM @clients WHERE controller_id = ANY(:ids::text[]))`,
    { ids },
  );
  for (const table of ['@clients', '@controllers']) {
    await sql.run(`DELETE FROM ${table} WHERE controller_id = ANY(:ids::text[])`, { ids });
  }
}

/** All requests of blocks below the oldest request have been deleted. */
async function sweepStatistics(database: Database, day: number): Promise<void> {
  await database.run('DELETE FROM @daily_arrivals WHERE day < :day', { day });
  await database.run('DELETE FROM @completion_times WHERE day < :day', { day });
  const oldest = await database.get<{ requestNo: number | null }>(
    'SELECT min(request_no) AS "requestNo" FROM @all_requests',
  );
  if (typeof oldest?.requestNo !== 'number') return;
  await database.run('DELETE FROM @request_blocks WHERE block < :block', {
    block: Math.floor(oldest.requestNo / BLOCK),
  });
}

async function deleteUnusedPlans(database: Database, until: number): Promise<void> {
  const plans = await database.all<{ planId: string }>(
    'SELECT plan_id AS "planId" FROM @plans WHERE created_time <= :until',
    { until },
  );
  const unused = new Set(plans.map(({ planId }) => planId));
  for (const table of database.dialect.requestTables) await leaveOutUsed(database, table, unused);
  if (unused.size === 0) return;
  // A start that uses a plan updates its time before it commits. If such a start runs concurrently, either it waits
  // for this statement and inserts the plan again, or this statement waits for it and keeps the plan.
  await database.run(
    'DELETE FROM @plans WHERE plan_id = ANY(:unused::text[]) AND created_time <= :until',
    { unused: [...unused], until },
  );
}

async function leaveOutUsed(database: Database, table: string, unused: Set<string>): Promise<void> {
  const page = `(SELECT request_no, plan_id FROM ${table} WHERE request_no > :after
    ORDER BY request_no LIMIT ${PAGE}) AS page`;
  for (let after: number | null = 0; after !== null && unused.size > 0; ) {
    const used: { planId: string }[] = await database.all(
      `SELECT DISTINCT plan_id AS "planId" FROM ${page} WHERE plan_id IS NOT NULL`,
      { after },
    );
    for (const { planId } of used) unused.delete(planId);
    const end: { last: number | null } | undefined = await database.get(
      `SELECT max(request_no) AS last FROM ${page}`,
      { after },
    );
    after = end?.last ?? null;
  }
}
