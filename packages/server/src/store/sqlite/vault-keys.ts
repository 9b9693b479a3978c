// Which master keys the store's contents need, and the wrapped digest key. Never a key in clear.
import type { DatabaseSync } from 'node:sqlite';
import type { VaultKeyStore } from '../../domain/ports.ts';
import { inTransaction } from './transaction.ts';

export function createVaultKeyStore(database: DatabaseSync): VaultKeyStore {
  const masterKeys = database.prepare(
    'SELECT master_key_id AS id FROM master_keys ORDER BY created_time, master_key_id',
  );
  const insertMasterKey = database.prepare('INSERT INTO master_keys VALUES (?, ?, NULL)');
  const digestKey = database.prepare(
    'SELECT wrapped_key AS wrapped FROM digest_keys ORDER BY digest_key_no DESC LIMIT 1',
  );
  const insertDigestKey = database.prepare(
    'INSERT INTO digest_keys (master_key_id, wrapped_key, created_time) VALUES (?, ?, ?)',
  );

  return {
    masterKeyIds: () => (masterKeys.all() as { id: string }[]).map(({ id }) => id),
    wrappedDigestKey: () => (digestKey.get() as { wrapped: Uint8Array } | undefined)?.wrapped,
    found(masterKeyId, wrappedDigestKey, time) {
      inTransaction(database, () => {
        // Another process may have been first.
        if (digestKey.get() !== undefined) return;
        insertMasterKey.run(masterKeyId, time);
        insertDigestKey.run(masterKeyId, wrappedDigestKey, time);
      });
    },
  };
}
