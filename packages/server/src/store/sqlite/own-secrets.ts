import type { DatabaseSync } from 'node:sqlite';
import type { OwnSecretStore } from '../../domain/ports.ts';

export function createOwnSecretStore(database: DatabaseSync): OwnSecretStore {
  const select = database.prepare('SELECT sealed FROM own_secrets WHERE name = ?');
  const insert = database.prepare(
    'INSERT INTO own_secrets (name, sealed) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    ownSecret: async (name) => (select.get(name) as { sealed: Uint8Array } | undefined)?.sealed,
    async addOwnSecret(name, sealed) {
      insert.run(name, sealed);
    },
  };
}
