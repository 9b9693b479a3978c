import { type MissingSecret, SecretMissing } from '../../../domain/keys/missing-secret.ts';
import type { OwnSecretStore } from '../../../domain/keys/secret-ports.ts';
import type { Database, Sql } from '../../sql.ts';

/** The time of the oldest thing that was made with it. */
const MADE_WITH: Readonly<Record<string, string>> = {
  'proof signing key': 'SELECT min(time) AS since FROM @audit_heads',
  'identity digests': `SELECT min(received_time) AS since FROM @all_requests
    WHERE request_no = (SELECT min(request_no) FROM @identity_digests)`,
  'row authentication': 'SELECT min(created_time) AS since FROM @controllers WHERE mac IS NOT NULL',
  'overwrite hashes': `SELECT min(changed_time) AS since FROM @tasks WHERE state = 'erased'`,
};

export function createOwnSecretStore(database: Database): OwnSecretStore {
  return {
    async ownSecret(name) {
      const row = await database.get<{ sealed: Uint8Array }>(
        'SELECT sealed FROM @own_secrets WHERE name = :name',
        { name },
      );
      return row?.sealed;
    },
    async addOwnSecret(name, sealed) {
      const missing = await missingOf(database, name);
      if (missing !== undefined) throw new SecretMissing([missing]);
      // Of several nodes that make it at once, the second waits for the first to commit, and leaves it.
      await database.run(
        'INSERT INTO @own_secrets (name, sealed) VALUES (:name, :sealed) ON CONFLICT DO NOTHING',
        { name, sealed },
      );
    },
    async missingSecrets() {
      const all = await Promise.all(
        Object.keys(MADE_WITH).map((name) => missingOf(database, name)),
      );
      return all.flatMap((it) => it ?? []);
    },
  };
}

/** In this order: a secret is there before anything is made with it. */
async function missingOf(sql: Sql, name: string): Promise<MissingSecret | undefined> {
  const madeWith = MADE_WITH[name];
  if (madeWith === undefined) return undefined;
  const since = (await sql.get<{ since: number | null }>(madeWith))?.since ?? null;
  if (since === null) return undefined;
  const there = await sql.get('SELECT 1 FROM @own_secrets WHERE name = :name', { name });
  return there === undefined ? { name, since } : undefined;
}
