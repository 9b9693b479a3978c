import type { DatabaseSync } from 'node:sqlite';
import type { SigningKeyStore, StoredSigningKey } from '../../domain/ports.ts';
import { prepareAppendAudit } from './audit.ts';
import { inTransaction } from './transaction.ts';

export function createSigningKeyStore(database: DatabaseSync): SigningKeyStore {
  const appendAudit = prepareAppendAudit(database);
  const selectAll = database.prepare(`
    SELECT kid, public_jwk AS publicJwk, sealed_private_key AS sealedPrivateKey,
           created_time AS createdTime, retired_time AS retiredTime, revoked_time AS revokedTime
    FROM signing_keys ORDER BY created_time DESC, kid
  `);
  const insert = database.prepare(
    'INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, created_time) VALUES (?, ?, ?, ?)',
  );
  const retire = database.prepare(
    'UPDATE signing_keys SET retired_time = ? WHERE retired_time IS NULL',
  );
  const revoke = database.prepare(
    'UPDATE signing_keys SET retired_time = coalesce(retired_time, :time), revoked_time = :time WHERE revoked_time IS NULL',
  );
  const signs = database.prepare(`
    SELECT kid FROM signing_keys WHERE retired_time IS NULL AND revoked_time IS NULL
    ORDER BY created_time DESC, kid LIMIT 1
  `);
  const removeOld = database.prepare('DELETE FROM signing_keys WHERE retired_time < ?');

  return {
    signingKeys: async () => selectAll.all() as unknown as StoredSigningKey[],
    async addSigningKey({ kid, publicJwk, sealedPrivateKey, createdTime }, before, actor, instead) {
      inTransaction(database, () => {
        if (instead !== undefined && (signs.get()?.kid ?? null) !== instead.of) return;
        if (before === 'retire') retire.run(createdTime);
        else revoke.run({ time: createdTime });
        insert.run(kid, publicJwk, sealedPrivateKey, createdTime);
        appendAudit({
          time: createdTime,
          actor,
          action: 'signing_key.created',
          controllerId: null,
          subjectRequestId: null,
          detail: JSON.stringify({ kid, before }),
        });
      });
    },
    async removeSigningKeysRetiredBefore(time) {
      removeOld.run(time);
    },
  };
}
