// Final requests whose time is over, with everything that hangs on them.
import type { Sql } from './database.ts';
import { deleteSealed } from './shred-identities.ts';

const FINAL_TIME = 'coalesce(completed_time, cancelled_time)';

// The newest request stays until there is a newer one: where a copy of the store goes on numbering from
// what it finds, its number must not be given out again while audit rows of it are kept.
const DUE = `status IN ('completed', 'cancelled') AND again_asked_time IS NULL
  AND ${FINAL_TIME} <= $1
  AND request_no < greatest((SELECT max(request_no) FROM @requests),
                            (SELECT max(request_no) FROM @archived_requests))`;

/** A request is in one of these. */
const PLACES = ['@requests', '@archived_requests'] as const;

/** What hangs on it. */
const TABLES = [
  '@receipts',
  '@alarms',
  '@watched_requests',
  '@identity_digests',
  '@tasks',
] as const;

/** By the oldest: asked whether there is any, PostgreSQL may look for it among all of them. */
export async function anyToForget(sql: Sql, finalUntil: number): Promise<boolean> {
  for (const place of PLACES) {
    const due = await sql.get(
      `SELECT 1 FROM ${place} WHERE ${DUE} ORDER BY ${FINAL_TIME} LIMIT 1`,
      [finalUntil],
    );
    if (due !== undefined) return true;
  }
  return false;
}

/** Inside the caller's transaction. One that somebody else is at is left to the next time. */
export async function forgetRequests(sql: Sql, finalUntil: number, most: number): Promise<number> {
  let forgotten = 0;
  for (const place of PLACES) {
    const rows = await sql.all<{ requestNo: number }>(
      `SELECT request_no AS "requestNo" FROM ${place} WHERE ${DUE}
       ORDER BY ${FINAL_TIME} LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [finalUntil, most - forgotten],
    );
    const requestNos = rows.map(({ requestNo }) => requestNo);
    if (requestNos.length === 0) continue;
    await deleteSealed(sql, requestNos);
    for (const table of [...TABLES, place]) {
      await sql.run(`DELETE FROM ${table} WHERE request_no = ANY($1::bigint[])`, [requestNos]);
    }
    forgotten += requestNos.length;
  }
  return forgotten;
}
