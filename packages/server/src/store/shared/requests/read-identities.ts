import type { SealedBytes, SealedIdentities } from '../../../domain/task/fulfilment-ports.ts';
import type { Sql } from '../../sql.ts';

interface IdentitiesRow extends SealedBytes {
  readonly requestNo: number;
  readonly source: string | null;
}

/** Everything that names the person of a request, sealed: as submitted, derived, and added later. */
export async function readIdentities(
  sql: Sql,
  requestNos: readonly number[],
): Promise<Map<number, SealedIdentities[]>> {
  const found = new Map<number, SealedIdentities[]>();
  if (requestNos.length === 0) return found;
  const rows = await sql.all<IdentitiesRow>(
    `SELECT request_no AS "requestNo", master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey",
            sealed, source
     FROM (
       SELECT 0 AS added_no, NULL AS source, request_no, master_key_id, wrapped_key, sealed
       FROM @sealed_identities WHERE request_no = ANY(:requestNos::bigint[])
       UNION ALL
       SELECT added_no, source, request_no, master_key_id, wrapped_key, sealed
       FROM @added_identities WHERE request_no = ANY(:requestNos::bigint[])
     ) AS identities
     ORDER BY request_no, added_no`,
    { requestNos },
  );
  for (const { requestNo, source, masterKeyId, wrappedKey, sealed } of rows) {
    const bytes = { masterKeyId, wrappedKey, sealed };
    const own = found.get(requestNo) ?? [];
    own.push(source === null ? bytes : { ...bytes, source });
    found.set(requestNo, own);
  }
  return found;
}
