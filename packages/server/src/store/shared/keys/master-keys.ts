import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import type { MasterKeyStore, StoredMasterKey } from '../../../domain/keys/key-ports.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { retiredByLog } from './retired-by-log.ts';
import { createReplaceSecret, createRewrap, createSetAside, readSecrets } from './rewrap-keys.ts';
import { createSealedUnder } from './sealed-under.ts';

/** Serialises changes to the set of master keys. */
export const MASTER_KEYS_LOCK = 'master keys';

/** One sequence for creating and adopting keys, so that the two can be compared. */
const NEXT_NO = `1 + coalesce((SELECT max(CASE WHEN coalesce(generation, 0) > made_no
  THEN generation ELSE made_no END) FROM @master_keys), 0)`;

/** The current key is never retired or destroyed, even if a process does not know that it is current. */
const IS_CURRENT = `generation IS NOT NULL AND generation = (
  SELECT max(generation) FROM @master_keys WHERE destroyed_time IS NULL)`;

export async function addMasterKey(sql: Sql, id: string, now: number): Promise<void> {
  await sql.run(
    `INSERT INTO @master_keys (master_key_id, created_time, made_no)
     SELECT :id, :now::bigint, ${NEXT_NO} WHERE true ON CONFLICT DO NOTHING`,
    { id, now },
  );
}

/** Older than every key that was adopted: it is left, retired and destroyed like them. */
export async function addLostKey(sql: Sql, id: string, now: number): Promise<void> {
  await sql.run(
    `INSERT INTO @master_keys (master_key_id, created_time, made_no)
     SELECT :id, :now::bigint, 0 WHERE true ON CONFLICT DO NOTHING`,
    { id, now },
  );
}

export function createMasterKeyStore({ unprepared: database }: Database): MasterKeyStore {
  const sealedUnder = createSealedUnder(database);

  const isCurrent = async (id: string) =>
    (await database.get(
      `SELECT 1 AS one FROM @master_keys WHERE master_key_id = :id AND ${IS_CURRENT}`,
      { id },
    )) !== undefined;

  const audit = (sql: Sql, action: AuditAction, detail: object, by: Actor) =>
    appendAudit(sql, [auditOf(action, by, detail)]);

  return {
    masterKeys: () =>
      database.all<StoredMasterKey>(
        `SELECT master_key_id AS "masterKeyId", created_time AS "createdTime",
                made_no AS "madeNo", generation,
                adopted_time AS "adoptedTime", retired_time AS "retiredTime",
                destroyed_time AS "destroyedTime", undestroyed_time AS "undestroyedTime"
         FROM @master_keys ORDER BY made_no, master_key_id`,
      ),
    async add(makeKey, by) {
      // A transaction may run twice; a key is made once.
      let made: string | undefined;
      return database.transaction(async (sql) => {
        await sql.lock(MASTER_KEYS_LOCK);
        const id = made ?? makeKey();
        made = id;
        await addMasterKey(sql, id, by.now);
        await audit(sql, 'master_key.rotated', { master_key: id }, by);
        return id;
      });
    },
    async adopt(id, now) {
      // A retired key that is listed first again is in use again.
      await database.transaction(async (sql) => {
        await sql.lock(MASTER_KEYS_LOCK);
        await sql.run(
          `UPDATE @master_keys SET adopted_time = :now, retired_time = NULL, destroyed_time = NULL,
             generation = ${NEXT_NO}
           WHERE master_key_id = :id`,
          { id, now },
        );
      });
    },
    async retire(id, now) {
      // Counted outside of the transaction, which would block others. A node that does not know of the
      // rotation yet may still seal with the old key: that is counted again before the key is destroyed.
      if ((await isCurrent(id)) || (await sealedUnder(id)).things > 0) return false;
      await database.transaction(async (sql) => {
        const retired = await sql.run(
          `UPDATE @master_keys SET retired_time = :now
           WHERE master_key_id = :id AND retired_time IS NULL AND NOT (${IS_CURRENT})`,
          { id, now },
        );
        if (retired === 0) return;
        await audit(sql, 'master_key.retired', { master_key: id }, { actor: 'system', now });
      });
      return true;
    },
    async retiredByLog({ masterKeyId, retiredTime }) {
      return retiredTime === null ? null : retiredByLog(database, masterKeyId, retiredTime);
    },
    async unretire(id) {
      await database.run('UPDATE @master_keys SET retired_time = NULL WHERE master_key_id = :id', {
        id,
      });
    },
    async destroy(id, remove, by) {
      if (await isCurrent(id)) return false;
      if ((await sealedUnder(id)).things > 0) return false;
      remove();
      await database.transaction(async (sql) => {
        const destroyed = await sql.run(
          `UPDATE @master_keys
           SET destroyed_time = :now, retired_time = coalesce(retired_time, :now)
           WHERE master_key_id = :id AND destroyed_time IS NULL`,
          { id, now: by.now },
        );
        // Another node has already recorded it.
        if (destroyed === 0) return;
        await audit(sql, 'master_key.destroyed', { master_key: id }, by);
      });
      return true;
    },
    async putOffDestroying(id, now) {
      await database.run(
        'UPDATE @master_keys SET undestroyed_time = :now WHERE master_key_id = :id',
        { id, now },
      );
    },
    sealedUnder,
    rewrap: createRewrap(database),
    secrets: () => readSecrets(database),
    setAside: createSetAside(database),
    replaceSecret: createReplaceSecret(database),
  };
}
