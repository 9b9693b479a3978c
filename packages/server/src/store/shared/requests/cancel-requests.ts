import type { Sql } from '../../sql.ts';
import { deleteSealed } from '../forgetting/shred-identities.ts';

/** Runs in the caller's transaction, with the requests locked. Without its wrapped key, sealed data is noise. */
export async function cancelRequests(
  sql: Sql,
  requestNos: readonly number[],
  now: number,
): Promise<void> {
  if (requestNos.length === 0) return;
  await deleteSealed(sql, requestNos);
  for (const table of ['@identity_digests', '@tasks']) {
    await sql.run(`DELETE FROM ${table} WHERE request_no = ANY(:requestNos::bigint[])`, {
      requestNos,
    });
  }
  await sql.run(
    `UPDATE @requests SET status = 'cancelled', cancelled_time = :now, started_time = NULL,
            plan_id = NULL
     WHERE request_no = ANY(:requestNos::bigint[])`,
    { requestNos, now },
  );
}
