import type { DatabaseSync } from 'node:sqlite';
import type { SealedIdentities } from '../../domain/fulfilment-ports.ts';
import { type StoredIdentities, withSource } from '../stored-identities.ts';

/** Everything that names the person of a request, sealed: as submitted, derived, and added later. */
export function prepareReadIdentities(database: DatabaseSync) {
  const select = database.prepare(`
    SELECT NULL AS source, master_key_id AS masterKeyId, wrapped_key AS wrappedKey, sealed
    FROM sealed_identities WHERE request_no = ?1
    UNION ALL
    SELECT source, master_key_id, wrapped_key, sealed FROM added_identities WHERE request_no = ?1
  `);
  return (requestNo: number): SealedIdentities[] =>
    (select.all(requestNo) as unknown as StoredIdentities[]).map(withSource);
}
