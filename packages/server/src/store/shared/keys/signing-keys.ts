import type { SigningKeyStore, StoredSigningKey } from '../../../domain/keys/secret-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';

// All nodes sign with the first key in this order that is not retired.
const NEWEST_FIRST = 'ORDER BY created_time DESC, kid';

// A revoked key can never be used again, even if its row is changed, because the key itself is deleted.
const NOTHING = new Uint8Array();

const END_THOSE_BEFORE = {
  retire: 'UPDATE @signing_keys SET retired_time = :createdTime WHERE retired_time IS NULL',
  revoke: `UPDATE @signing_keys
    SET retired_time = coalesce(retired_time, :createdTime), revoked_time = :createdTime,
        sealed_private_key = :nothing
    WHERE revoked_time IS NULL`,
};

export function createSigningKeyStore(database: Database): SigningKeyStore {
  async function signs(sql: Sql, except: readonly string[]): Promise<string | null> {
    const row = await sql.get<{ kid: string }>(
      `SELECT kid FROM @signing_keys WHERE retired_time IS NULL AND revoked_time IS NULL
         AND kid <> ALL(:except::text[])
       ${NEWEST_FIRST} LIMIT 1`,
      { except },
    );
    return row?.kid ?? null;
  }

  return {
    signingKeys: () =>
      database.all<StoredSigningKey>(
        `SELECT kid, public_jwk AS "publicJwk", sealed_private_key AS "sealedPrivateKey",
                created_time AS "createdTime", retired_time AS "retiredTime",
                revoked_time AS "revokedTime"
         FROM @signing_keys ${NEWEST_FIRST}`,
      ),
    addSigningKey: ({ kid, publicJwk, sealedPrivateKey, createdTime }, before, actor, instead) =>
      database.transaction(async (sql) => {
        await sql.lock('signing keys');
        const { of, except = [] } = instead ?? {};
        if (instead !== undefined && (await signs(sql, except)) !== of) return;
        const nothing = before === 'revoke' ? { nothing: NOTHING } : {};
        await sql.run(END_THOSE_BEFORE[before], { createdTime, ...nothing });
        await sql.run(
          `INSERT INTO @signing_keys (kid, public_jwk, sealed_private_key, created_time)
           VALUES (:kid, :publicJwk, :sealedPrivateKey, :createdTime)`,
          { kid, publicJwk, sealedPrivateKey, createdTime },
        );
        const by = { actor, now: createdTime };
        await appendAudit(sql, [auditOf('signing_key.created', by, { kid, before })]);
      }),
    async removeSigningKeysRetiredBefore(time) {
      await database.run('DELETE FROM @signing_keys WHERE retired_time < :time', { time });
    },
  };
}
