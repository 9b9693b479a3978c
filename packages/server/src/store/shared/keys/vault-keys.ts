// The ids of the master keys that the store's contents need.
import type { VaultKeyStore } from '../../../domain/keys/secret-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { addLostKey, addMasterKey, MASTER_KEYS_LOCK } from './master-keys.ts';

export async function neededMasterKeyIds(sql: Sql): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(
    `SELECT master_key_id AS id FROM @master_keys
     WHERE retired_time IS NULL AND destroyed_time IS NULL
     ORDER BY made_no, master_key_id`,
  );
  return rows.map(({ id }) => id);
}

export function createVaultKeyStore(database: Database): VaultKeyStore {
  return {
    masterKeyIds: () => neededMasterKeyIds(database),
    async addMasterKeys(current, earlier, now) {
      const rows = await database.all<{ id: string }>(
        'SELECT master_key_id AS id FROM @master_keys',
      );
      const known = new Set(rows.map(({ id }) => id));
      const lost = earlier.filter((id) => !known.has(id));
      // A file of keys may be shared with another store, whose keys are not ours to destroy.
      if (lost.length > 0 && (await database.get('SELECT 1 AS one FROM @restores LIMIT 1'))) {
        for (const id of lost) await addLostKey(database, id, now);
      }
      // Two processes may open a store at once: both record the same key.
      if (!known.has(current)) await addMasterKey(database, current, now);
    },
    addFirstMasterKey: (id, now) =>
      database.transaction(async (sql) => {
        await sql.lock(MASTER_KEYS_LOCK);
        const ids = await neededMasterKeyIds(sql);
        if (ids.length > 0) return ids.includes(id);
        await addMasterKey(sql, id, now);
        return true;
      }),
  };
}
