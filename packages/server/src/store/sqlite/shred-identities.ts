import type { DatabaseSync } from 'node:sqlite';

const DIGEST_BYTES = 16;

export type ShredIdentities = (requestNo: number, digests: Uint8Array | null) => void;

/** Deletes the wrapped key, what it sealed, and the digests, inside the caller's transaction. */
export function prepareShredIdentities(database: DatabaseSync): ShredIdentities {
  const deleteSealed = database.prepare('DELETE FROM sealed_identities WHERE request_no = ?');
  const deleteDigest = database.prepare(
    'DELETE FROM identity_digests WHERE digest = ? AND request_no = ?',
  );
  const forgetDigests = database.prepare('UPDATE requests SET digests = NULL WHERE request_no = ?');

  return (requestNo, digests) => {
    deleteSealed.run(requestNo);
    if (digests === null) return;
    for (let at = 0; at < digests.length; at += DIGEST_BYTES) {
      deleteDigest.run(digests.subarray(at, at + DIGEST_BYTES), requestNo);
    }
    forgetDigests.run(requestNo);
  };
}
