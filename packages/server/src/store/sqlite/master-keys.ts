import type { DatabaseSync } from 'node:sqlite';
import type { AuditAction } from '../../domain/audit-row.ts';
import type { MasterKeyStore, SealedUnder, StoredMasterKey } from '../../domain/key-ports.ts';
import { prepareAppendAudit } from './audit.ts';
import { prepareReplaceSecret, prepareRewrap, prepareSecrets } from './rewrap-keys.ts';
import { inTransaction } from './transaction.ts';

/** A secret of our own begins with the id of its master key. */
const SECRETS = `
  SELECT lower(hex(substr(sealed, 1, 8))) AS id FROM own_secrets
  UNION ALL SELECT lower(hex(substr(sealed_private_key, 1, 8))) FROM signing_keys`;

/** By a connection that only reads, too. */
export function prepareMasterKeys(database: DatabaseSync): MasterKeyStore['masterKeys'] {
  const select = database.prepare(`
    SELECT master_key_id AS masterKeyId, created_time AS createdTime, adopted_time AS adoptedTime,
           retired_time AS retiredTime, destroyed_time AS destroyedTime,
           undestroyed_time AS undestroyedTime
    FROM master_keys ORDER BY created_time, master_key_id
  `);
  return async () => select.all() as unknown as StoredMasterKey[];
}

export function createMasterKeyStore(database: DatabaseSync): MasterKeyStore {
  const appendAudit = prepareAppendAudit(database);
  const sealedUnder = prepareSealedUnder(database);
  const insert = database.prepare(
    'INSERT INTO master_keys (master_key_id, created_time) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  // A key that was retired and is given first again is in use again.
  const adopt = database.prepare(`
    UPDATE master_keys SET adopted_time = ?, retired_time = NULL, destroyed_time = NULL
    WHERE master_key_id = ?
  `);
  const retire = database.prepare(
    'UPDATE master_keys SET retired_time = ? WHERE master_key_id = ? AND retired_time IS NULL',
  );
  const unretire = database.prepare(
    'UPDATE master_keys SET retired_time = NULL WHERE master_key_id = ?',
  );
  const destroy = database.prepare(`
    UPDATE master_keys SET destroyed_time = :now, retired_time = coalesce(retired_time, :now)
    WHERE master_key_id = :id
  `);
  const putOff = database.prepare(
    'UPDATE master_keys SET undestroyed_time = ? WHERE master_key_id = ?',
  );
  const once = <T>(work: () => T): T => inTransaction(database, work);

  function audit(action: AuditAction, detail: object, actor: string, time: number): void {
    const none = { controllerId: null, subjectRequestId: null };
    appendAudit({ time, actor, action, ...none, detail: JSON.stringify(detail) });
  }

  return {
    masterKeys: prepareMasterKeys(database),
    add: async (makeKey, { actor, now }) =>
      once(() => {
        const id = makeKey();
        insert.run(id, now);
        audit('master_key.rotated', { master_key: id }, actor, now);
        return id;
      }),
    async adopt(id, now) {
      adopt.run(now, id);
    },
    async retire(id, now) {
      // Counted outside of the transaction, which would keep everybody waiting: nobody seals under it
      // since another was adopted.
      if (sealedUnder(id).things > 0) return false;
      once(() => {
        if (retire.run(now, id).changes === 0) return;
        audit('master_key.retired', { master_key: id }, 'system', now);
      });
      return true;
    },
    async unretire(id) {
      unretire.run(id);
    },
    async destroy(id, force, remove, { actor, now }) {
      const lost = sealedUnder(id);
      if (lost.things > 0 && !force) return false;
      once(() => {
        remove();
        destroy.run({ id, now });
        const detail = { master_key: id, requests_lost: lost.requests };
        audit('master_key.destroyed', detail, actor, now);
      });
      return true;
    },
    async putOffDestroying(id, now) {
      putOff.run(now, id);
    },
    sealedUnder: async (id) => sealedUnder(id),
    rewrap: prepareRewrap(database),
    secrets: prepareSecrets(database),
    replaceSecret: prepareReplaceSecret(database),
  };
}

/** Reads everything that is sealed: for commands and for the end of a rotation. */
function prepareSealedUnder(database: DatabaseSync) {
  const requests = database.prepare(`
    SELECT count(*) AS n FROM (
      SELECT request_no FROM sealed_identities WHERE master_key_id = ?1
      UNION SELECT request_no FROM added_identities WHERE master_key_id = ?1
    )
  `);
  const things = database.prepare(`
    SELECT (SELECT count(*) FROM sealed_identities WHERE master_key_id = ?1)
         + (SELECT count(*) FROM added_identities WHERE master_key_id = ?1)
         + (SELECT count(*) FROM intents WHERE master_key_id = ?1)
         + (SELECT count(*) FROM (${SECRETS}) WHERE id = ?1) AS n
  `);
  return (masterKeyId: string): SealedUnder => ({
    requests: Number(requests.get(masterKeyId)?.n),
    things: Number(things.get(masterKeyId)?.n),
  });
}
