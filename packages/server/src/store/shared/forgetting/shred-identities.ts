// Deletes the key of a completed request's identities: from then on they cannot be decrypted. A PostgreSQL
// server keeps deleted rows in its files for a while, and in its write-ahead log and backups: those copies
// cannot be decrypted once the master key that wrapped the key is destroyed.
import type { RequestKey } from '../../../domain/request/request.ts';
import type { Sql } from '../../sql.ts';
import { appendAudit } from '../audit/append-audit.ts';

const DUE = `status = 'completed' AND shredded_time IS NULL AND again_asked_time IS NULL
  AND completed_time <= :completedUntil`;

export async function anyToShred(sql: Sql, completedUntil: number): Promise<boolean> {
  // Ask for the oldest: with "any", PostgreSQL may scan all requests for it.
  const due = await sql.get(
    `SELECT 1 FROM @requests WHERE ${DUE} ORDER BY completed_time LIMIT 1`,
    { completedUntil },
  );
  return due !== undefined;
}

/** Runs in the caller's transaction. A request that is about to be erased again is skipped. */
export async function shredIdentities(
  sql: Sql,
  completedUntil: number,
  max: number,
  now: number,
): Promise<number> {
  const rows = await sql.all<RequestKey & { requestNo: number }>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId"
     FROM @requests WHERE ${DUE} ORDER BY completed_time LIMIT :max FOR UPDATE SKIP LOCKED`,
    { completedUntil, max },
  );
  const requestNos = rows.map(({ requestNo }) => requestNo);
  if (requestNos.length === 0) return 0;
  await deleteSealed(sql, requestNos);
  await sql.run(
    'UPDATE @requests SET shredded_time = :now WHERE request_no = ANY(:requestNos::bigint[])',
    { requestNos, now },
  );
  const what = { time: now, actor: 'system', action: 'request.shredded', detail: null } as const;
  await appendAudit(
    sql,
    rows.map((row) => ({ ...what, ...row })),
  );
  return rows.length;
}

export async function deleteSealed(sql: Sql, requestNos: readonly number[]): Promise<void> {
  for (const table of ['@sealed_identities', '@added_identities']) {
    await sql.run(`DELETE FROM ${table} WHERE request_no = ANY(:requestNos::bigint[])`, {
      requestNos,
    });
  }
  await sql.run(
    `DELETE FROM @intents WHERE task_no IN (
       SELECT task_no FROM @tasks WHERE request_no = ANY(:requestNos::bigint[]))`,
    { requestNos },
  );
}
