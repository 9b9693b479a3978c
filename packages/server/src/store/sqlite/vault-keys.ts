// Which master keys the store's contents need. Never a key itself.
import type { DatabaseSync } from 'node:sqlite';
import type { VaultKeyStore } from '../../domain/ports.ts';

export function createVaultKeyStore(database: DatabaseSync): VaultKeyStore {
  const selectIds = database.prepare(
    'SELECT master_key_id AS id FROM master_keys WHERE retired_time IS NULL AND destroyed_time IS NULL ORDER BY created_time, master_key_id',
  );
  // Two processes may find a new store at once: both record the same key.
  const insert = database.prepare(
    'INSERT INTO master_keys (master_key_id, created_time) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    masterKeyIds: async () => (selectIds.all() as { id: string }[]).map(({ id }) => id),
    async addMasterKey(masterKeyId, time) {
      insert.run(masterKeyId, time);
    },
  };
}
