// Deletes final requests whose retention has ended, with everything that belongs to them.
import type { Sql } from '../../sql.ts';
import { deleteSealed } from './shred-identities.ts';

const FINAL_TIME = 'coalesce(completed_time, cancelled_time)';

const OVER = `status IN ('completed', 'cancelled') AND again_asked_time IS NULL
  AND ${FINAL_TIME} <= :finalUntil`;

const DUE = `${OVER} AND request_no < :newest`;

/** The tables with data of a request, in this order: each refers to those after it. */
const TABLES = [
  '@receipts',
  '@refused_receipts',
  '@alarms',
  '@watched_requests',
  '@identity_digests',
  '@legal_holds',
  '@tasks',
] as const;

/**
 * The newest request stays until there is a newer one. A store may continue numbering from the rows that it
 * finds; the number must not be assigned again while audit rows about it are kept.
 */
async function newestNo(sql: Sql): Promise<number> {
  let newest = 0;
  for (const table of sql.dialect.requestTables) {
    const row = await sql.get<{ no: number | null }>(`SELECT max(request_no) AS no FROM ${table}`);
    newest = Math.max(newest, row?.no ?? 0);
  }
  return newest;
}

/** Ask for the oldest: with "any", PostgreSQL may scan all of them. */
export async function anyToForget(sql: Sql, finalUntil: number): Promise<boolean> {
  const newest = await newestNo(sql);
  for (const table of sql.dialect.requestTables) {
    const due = await sql.get(
      `SELECT 1 FROM ${table} WHERE ${DUE} ORDER BY ${FINAL_TIME} LIMIT 1`,
      { finalUntil, newest },
    );
    if (due !== undefined) return true;
  }
  return false;
}

/** Runs in the caller's transaction. A request that another node has locked is left for the next time. */
export async function forgetRequests(sql: Sql, finalUntil: number, max: number): Promise<number> {
  const newest = await newestNo(sql);
  let forgotten = 0;
  for (const table of sql.dialect.requestTables) {
    const rows = await sql.all<{ requestNo: number }>(
      `SELECT request_no AS "requestNo" FROM ${table} WHERE ${DUE}
       ORDER BY ${FINAL_TIME} LIMIT :max FOR UPDATE SKIP LOCKED`,
      { finalUntil, newest, max: max - forgotten },
    );
    const requestNos = rows.map(({ requestNo }) => requestNo);
    if (requestNos.length === 0) continue;
    await deleteSealed(sql, requestNos);
    for (const place of [...TABLES, table]) {
      await sql.run(`DELETE FROM ${place} WHERE request_no = ANY(:requestNos::bigint[])`, {
        requestNos,
      });
    }
    forgotten += requestNos.length;
  }
  return forgotten;
}

/** The newest request stays for its number alone: no one may be able to test a guess against its digests. */
export async function forgetDigestsOfNewest(sql: Sql, finalUntil: number): Promise<void> {
  // A request that is created meanwhile does not matter: what is deleted here is due in any case.
  const newest = await newestNo(sql);
  for (const table of sql.dialect.requestTables) {
    await sql.run(
      `DELETE FROM @identity_digests WHERE request_no IN
         (SELECT request_no FROM ${table} WHERE request_no = :newest AND ${OVER})`,
      { newest, finalUntil },
    );
  }
}
