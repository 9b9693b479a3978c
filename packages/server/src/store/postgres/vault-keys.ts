// Which master keys the store's contents need. Never a key itself.
import type { VaultKeyStore } from '../../domain/ports.ts';
import type { Database, Sql } from './database.ts';
import { MASTER_KEYS_TURN } from './master-keys.ts';
import { takeTurn } from './turns.ts';

const INSERT =
  'INSERT INTO @master_keys (master_key_id, created_time) VALUES ($1, $2) ON CONFLICT DO NOTHING';

export function createVaultKeyStore(database: Database): VaultKeyStore {
  async function idsIn(sql: Sql): Promise<string[]> {
    const rows = await sql.all<{ id: string }>(
      `SELECT master_key_id AS id FROM @master_keys
       WHERE retired_time IS NULL AND destroyed_time IS NULL
       ORDER BY created_time, master_key_id`,
    );
    return rows.map(({ id }) => id);
  }

  return {
    masterKeyIds: () => idsIn(database),
    async addMasterKey(masterKeyId, time) {
      await database.run(INSERT, [masterKeyId, time]);
    },
    addFirstMasterKey: (masterKeyId, time) =>
      database.transaction(async (sql) => {
        await takeTurn(sql, database, MASTER_KEYS_TURN);
        const ids = await idsIn(sql);
        if (ids.length > 0) return ids.includes(masterKeyId);
        await sql.run(INSERT, [masterKeyId, time]);
        return true;
      }),
  };
}
