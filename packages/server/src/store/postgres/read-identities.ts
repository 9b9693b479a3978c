import type { SealedIdentities } from '../../domain/fulfilment-ports.ts';
import { type StoredIdentities, withSource } from '../stored-identities.ts';
import type { Sql } from './database.ts';

/** Everything that names the person of a request, sealed: as submitted, derived, and added later. */
export async function readIdentities(
  sql: Sql,
  requestNos: readonly number[],
): Promise<Map<number, SealedIdentities[]>> {
  const found = new Map<number, SealedIdentities[]>();
  if (requestNos.length === 0) return found;
  const rows = await sql.all<StoredIdentities & { requestNo: number }>(
    `SELECT request_no AS "requestNo", master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey",
            sealed, source
     FROM (
       SELECT 0 AS added_no, NULL AS source, request_no, master_key_id, wrapped_key, sealed
       FROM @sealed_identities WHERE request_no = ANY($1::bigint[])
       UNION ALL
       SELECT added_no, source, request_no, master_key_id, wrapped_key, sealed
       FROM @added_identities WHERE request_no = ANY($1::bigint[])
     ) AS identities
     ORDER BY request_no, added_no`,
    [requestNos],
  );
  for (const { requestNo, ...stored } of rows) {
    const sealed = withSource(stored);
    const own = found.get(requestNo);
    if (own === undefined) found.set(requestNo, [sealed]);
    else own.push(sealed);
  }
  return found;
}
