// Final requests whose time is over, with everything that hangs on them.
import type { DatabaseSync } from 'node:sqlite';
import { prepareDeleteSealed } from './shred-identities.ts';

// The newest request stays until there is a newer one: its number must not be given out again while
// audit rows of it are kept.
const DUE = `status IN ('completed', 'cancelled') AND again_asked_time IS NULL
  AND coalesce(completed_time, cancelled_time) <= ?
  AND request_no < (SELECT max(request_no) FROM requests)`;

/** In this order: each refers to those after it. */
const TABLES = [
  'receipts',
  'alarms',
  'watched_requests',
  'identity_digests',
  'tasks',
  'requests',
] as const;

export function prepareAnyToForget(database: DatabaseSync) {
  const select = database.prepare(`SELECT 1 FROM requests WHERE ${DUE} LIMIT 1`);
  return (finalUntil: number): boolean => select.get(finalUntil) !== undefined;
}

/** Inside the caller's transaction. */
export function prepareForget(database: DatabaseSync) {
  const select = database.prepare(
    `SELECT request_no AS requestNo FROM requests WHERE ${DUE} LIMIT ?`,
  );
  const deleteSealed = prepareDeleteSealed(database);
  const deletes = TABLES.map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE request_no = ?`),
  );
  return (finalUntil: number, most: number): number => {
    const rows = select.all(finalUntil, most) as { requestNo: number }[];
    for (const { requestNo } of rows) {
      deleteSealed(requestNo);
      for (const statement of deletes) statement.run(requestNo);
    }
    return rows.length;
  };
}

/** What is not a request's own. Reads all requests once, outside of any transaction. */
export function prepareSweep(database: DatabaseSync) {
  const unusedPlans = database.prepare(`
    SELECT plan_id AS planId FROM plans
    WHERE created_time <= ?
      AND plan_id NOT IN (SELECT plan_id FROM requests WHERE plan_id IS NOT NULL)
  `);
  const deletePlan = database.prepare('DELETE FROM plans WHERE plan_id = ?');
  const deleteAlarms = database.prepare(
    'DELETE FROM alarms WHERE request_no IS NULL AND raised_time <= ?',
  );
  // Day -1 has the sums of all days.
  const deleteCounts = database.prepare('DELETE FROM daily_counts WHERE day >= 0 AND day < ?');
  return (until: number): void => {
    // Nothing starts in between: whoever starts requests does so on this thread.
    for (const { planId } of unusedPlans.all(until) as { planId: string }[]) deletePlan.run(planId);
    deleteAlarms.run(until);
    deleteCounts.run(Math.floor(until / 86_400_000));
  };
}
