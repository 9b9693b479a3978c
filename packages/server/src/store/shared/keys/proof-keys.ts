import type { ProofKeyStore, PublishedKey } from '../../../domain/keys/proof-key-ports.ts';
import { proofKeyClaim, type RowMacs } from '../../../domain/keys/row-macs.ts';
import type { Database, Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';

export function createProofKeyStore(database: Database, macs: RowMacs): ProofKeyStore {
  async function insert(sql: Sql, key: PublishedKey): Promise<number> {
    const { keyNo, keyId, publicKey, createdTime, previousKeyId, signature } = key;
    return sql.run(
      `INSERT INTO @proof_keys
         (key_no, key_id, public_key, created_time, previous_key_id, signature, mac)
       VALUES (:keyNo, :keyId, :publicKey, :createdTime, :previousKeyId, :signature, :mac)
       ON CONFLICT DO NOTHING`,
      {
        keyNo,
        keyId,
        publicKey,
        createdTime,
        previousKeyId,
        signature,
        mac: macs.compute(proofKeyClaim(key)),
      },
    );
  }

  return {
    async proofKeys() {
      const rows = await database.all<PublishedKey & { readonly mac: Uint8Array }>(
        `SELECT key_no AS "keyNo", key_id AS "keyId", public_key AS "publicKey",
                created_time AS "createdTime", previous_key_id AS "previousKeyId", signature, mac
         FROM @proof_keys ORDER BY key_no`,
      );
      return rows.flatMap(({ mac, ...key }) =>
        macs.verifyOrReport(proofKeyClaim(key), mac) ? [key] : [],
      );
    },
    async publishedSince() {
      const row = await database.get<{ since: number | null }>(
        `SELECT min(time) AS since FROM @audit_heads WHERE key_id = (
           SELECT key_id FROM @audit_heads ORDER BY head_no DESC LIMIT 1)`,
      );
      return row?.since ?? null;
    },
    async addFirstProofKey(key) {
      await insert(database, key);
    },
    replaceProofKey: (key, { name, before, sealed }, by) =>
      database.transaction(async (sql) => {
        await sql.lock('proof keys');
        const replaced = await sql.run(
          'UPDATE @own_secrets SET sealed = :sealed WHERE name = :name AND sealed = :before',
          { sealed, name, before },
        );
        if (replaced === 0) return false;
        if ((await insert(sql, key)) === 0) throw new Error(`there is a key ${key.keyNo} already`);
        const detail = { key_id: key.keyId, previous_key_id: key.previousKeyId };
        await appendAudit(sql, [auditOf('proof_key.rotated', by, detail)]);
        return true;
      }),
  };
}
