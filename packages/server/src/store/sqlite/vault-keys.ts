// Which master keys the store's contents need. Never a key itself.
import type { DatabaseSync } from 'node:sqlite';
import type { VaultKeyStore } from '../../domain/ports.ts';
import { inTransaction } from './transaction.ts';

export function createVaultKeyStore(database: DatabaseSync): VaultKeyStore {
  const selectIds = database.prepare(
    'SELECT master_key_id AS id FROM master_keys WHERE retired_time IS NULL AND destroyed_time IS NULL ORDER BY created_time, master_key_id',
  );
  // Two processes may find a new store at once: both record the same key.
  const insert = database.prepare(
    'INSERT INTO master_keys (master_key_id, created_time) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const masterKeyIds = () => (selectIds.all() as { id: string }[]).map(({ id }) => id);
  return {
    masterKeyIds: async () => masterKeyIds(),
    async addMasterKey(masterKeyId, time) {
      insert.run(masterKeyId, time);
    },
    addFirstMasterKey: async (masterKeyId, time) =>
      inTransaction(database, () => {
        const ids = masterKeyIds();
        if (ids.length > 0) return ids.includes(masterKeyId);
        insert.run(masterKeyId, time);
        return true;
      }),
  };
}
