// The ids of the master keys that the store's contents need.
import type { VaultKeyStore } from '../../../domain/keys/secret-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { addMasterKey, MASTER_KEYS_LOCK } from './master-keys.ts';

export function createVaultKeyStore(database: Database): VaultKeyStore {
  async function idsIn(sql: Sql): Promise<string[]> {
    const rows = await sql.all<{ id: string }>(
      `SELECT master_key_id AS id FROM @master_keys
       WHERE retired_time IS NULL AND destroyed_time IS NULL
       ORDER BY made_no, master_key_id`,
    );
    return rows.map(({ id }) => id);
  }

  return {
    masterKeyIds: () => idsIn(database),
    // Two processes may open a new store at once: both record the same key.
    addMasterKey: (id, now) => addMasterKey(database, id, now),
    addFirstMasterKey: (id, now) =>
      database.transaction(async (sql) => {
        await sql.lock(MASTER_KEYS_LOCK);
        const ids = await idsIn(sql);
        if (ids.length > 0) return ids.includes(id);
        await addMasterKey(sql, id, now);
        return true;
      }),
  };
}
