import type { SealedBytes } from '../../domain/fulfilment-ports.ts';
import type { Sql } from './database.ts';

/** Everything that names the person of a request, sealed: as submitted, derived, and added later. */
export async function readIdentities(
  sql: Sql,
  requestNos: readonly number[],
): Promise<Map<number, SealedBytes[]>> {
  const found = new Map<number, SealedBytes[]>();
  if (requestNos.length === 0) return found;
  const rows = await sql.all<SealedBytes & { requestNo: number }>(
    `SELECT request_no AS "requestNo", master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey",
            sealed
     FROM (
       SELECT 0 AS added_no, request_no, master_key_id, wrapped_key, sealed
       FROM @sealed_identities WHERE request_no = ANY($1::bigint[])
       UNION ALL
       SELECT added_no, request_no, master_key_id, wrapped_key, sealed
       FROM @added_identities WHERE request_no = ANY($1::bigint[])
     ) AS identities
     ORDER BY request_no, added_no`,
    [requestNos],
  );
  for (const { requestNo, ...sealed } of rows) {
    const own = found.get(requestNo);
    if (own === undefined) found.set(requestNo, [sealed]);
    else own.push(sealed);
  }
  return found;
}
