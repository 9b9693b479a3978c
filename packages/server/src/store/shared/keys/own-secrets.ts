import type { OwnSecretStore } from '../../../domain/keys/secret-ports.ts';
import type { Database } from '../../sql.ts';

export function createOwnSecretStore(database: Database): OwnSecretStore {
  return {
    async ownSecret(name) {
      const row = await database.get<{ sealed: Uint8Array }>(
        'SELECT sealed FROM @own_secrets WHERE name = :name',
        { name },
      );
      return row?.sealed;
    },
    // Of several nodes that make it at once, the second waits for the first to commit, and leaves it.
    async addOwnSecret(name, sealed) {
      await database.run(
        'INSERT INTO @own_secrets (name, sealed) VALUES (:name, :sealed) ON CONFLICT DO NOTHING',
        { name, sealed },
      );
    },
  };
}
