import type { AuditAction } from '../../domain/audit-row.ts';
import type { MasterKeyStore, StoredMasterKey } from '../../domain/key-ports.ts';
import { appendAudit } from './audit.ts';
import type { Database, Sql } from './database.ts';
import { createReplaceSecret, createRewrap, readSecrets } from './rewrap-keys.ts';
import { createSealedUnder } from './sealed-under.ts';
import { takeTurn } from './turns.ts';

/** Which keys there are is changed by one at a time. */
export const MASTER_KEYS_TURN = 'master keys';

export function createMasterKeyStore({ unprepared: database }: Database): MasterKeyStore {
  const sealedUnder = createSealedUnder(database);

  function audit(
    sql: Sql,
    action: AuditAction,
    detail: object,
    actor: string,
    time: number,
  ): Promise<void> {
    const none = { controllerId: null, subjectRequestId: null };
    return appendAudit(sql, [{ time, actor, action, ...none, detail: JSON.stringify(detail) }]);
  }

  function inTurn<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return database.transaction(async (sql) => {
      await takeTurn(sql, database, MASTER_KEYS_TURN);
      return work(sql);
    });
  }

  return {
    masterKeys: () =>
      database.all<StoredMasterKey>(
        `SELECT master_key_id AS "masterKeyId", created_time AS "createdTime",
                adopted_time AS "adoptedTime", retired_time AS "retiredTime",
                destroyed_time AS "destroyedTime", undestroyed_time AS "undestroyedTime"
         FROM @master_keys ORDER BY created_time, master_key_id`,
      ),
    async add(makeKey, { actor, now }) {
      // A transaction may run twice; a key is made once.
      let made: string | undefined;
      return inTurn(async (sql) => {
        const id = made ?? makeKey();
        made = id;
        await sql.run(
          `INSERT INTO @master_keys (master_key_id, created_time) VALUES ($1, $2)
           ON CONFLICT DO NOTHING`,
          [id, now],
        );
        await audit(sql, 'master_key.rotated', { master_key: id }, actor, now);
        return id;
      });
    },
    async adopt(id, now) {
      // A key that was retired and is given first again is in use again.
      await database.run(
        `UPDATE @master_keys SET adopted_time = $1, retired_time = NULL, destroyed_time = NULL
         WHERE master_key_id = $2`,
        [now, id],
      );
    },
    async retire(id, now) {
      // Counted outside of the transaction. A node that has not heard of the rotation yet may still
      // seal under it: before it is destroyed, somebody looks again.
      if ((await sealedUnder(id)).things > 0) return false;
      await database.transaction(async (sql) => {
        const retired = await sql.run(
          'UPDATE @master_keys SET retired_time = $1 WHERE master_key_id = $2 AND retired_time IS NULL',
          [now, id],
        );
        if (retired > 0) {
          await audit(sql, 'master_key.retired', { master_key: id }, 'system', now);
        }
      });
      return true;
    },
    async unretire(id) {
      await database.run('UPDATE @master_keys SET retired_time = NULL WHERE master_key_id = $1', [
        id,
      ]);
    },
    async destroy(id, force, remove, { actor, now }) {
      const lost = await sealedUnder(id);
      if (lost.things > 0 && !force) return false;
      remove();
      await database.transaction(async (sql) => {
        const destroyed = await sql.run(
          `UPDATE @master_keys SET destroyed_time = $1, retired_time = coalesce(retired_time, $1)
           WHERE master_key_id = $2 AND destroyed_time IS NULL`,
          [now, id],
        );
        // Another node has recorded it.
        if (destroyed === 0) return;
        const detail = { master_key: id, requests_lost: lost.requests };
        await audit(sql, 'master_key.destroyed', detail, actor, now);
      });
      return true;
    },
    async putOffDestroying(id, now) {
      await database.run('UPDATE @master_keys SET undestroyed_time = $1 WHERE master_key_id = $2', [
        now,
        id,
      ]);
    },
    sealedUnder,
    rewrap: createRewrap(database),
    secrets: () => readSecrets(database),
    replaceSecret: createReplaceSecret(database),
  };
}
