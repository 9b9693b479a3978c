import type { SigningKeyStore, StoredSigningKey } from '../../domain/ports.ts';
import { appendAudit } from './audit.ts';
import type { Database, Sql } from './database.ts';
import { takeTurn } from './turns.ts';

// All nodes sign with the first of these that is not retired.
const NEWEST_FIRST = 'ORDER BY created_time DESC, kid';

export function createSigningKeyStore(database: Database): SigningKeyStore {
  async function signs(sql: Sql): Promise<string | null> {
    const row = await sql.one<{ kid: string }>(
      `SELECT kid FROM @signing_keys WHERE retired_time IS NULL AND revoked_time IS NULL
       ${NEWEST_FIRST} LIMIT 1`,
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
        await takeTurn(sql, database, 'signing keys');
        if (instead !== undefined && (await signs(sql)) !== instead.of) return;
        await sql.run(
          before === 'retire'
            ? 'UPDATE @signing_keys SET retired_time = $1 WHERE retired_time IS NULL'
            : `UPDATE @signing_keys SET retired_time = coalesce(retired_time, $1), revoked_time = $1
               WHERE revoked_time IS NULL`,
          [createdTime],
        );
        await sql.run(
          `INSERT INTO @signing_keys (kid, public_jwk, sealed_private_key, created_time)
           VALUES ($1, $2, $3, $4)`,
          [kid, publicJwk, sealedPrivateKey, createdTime],
        );
        const none = { controllerId: null, subjectRequestId: null };
        const action = 'signing_key.created';
        const detail = JSON.stringify({ kid, before });
        await appendAudit(sql, [{ time: createdTime, actor, action, ...none, detail }]);
      }),
    async removeSigningKeysRetiredBefore(time) {
      await database.run('DELETE FROM @signing_keys WHERE retired_time < $1', [time]);
    },
  };
}
