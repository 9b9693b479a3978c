import { type MissingSecret, SecretMissing } from '../../../domain/keys/missing-secret.ts';
import type { OwnSecretStore } from '../../../domain/keys/secret-ports.ts';
import type { Database, Sql } from '../../sql.ts';

/**
 * Rows that exist only if rows are authenticated: published keys carry a MAC, and heads are signed by one of
 * them.
 */
export const OF_ROW_KEY = `SELECT created_time AS time FROM @proof_keys
  UNION ALL SELECT time FROM @audit_heads`;

/** Since when backups contain the secret: the time of the oldest thing made with it, or of its last replacement. */
const MADE_WITH: Readonly<Record<string, string>> = {
  'proof signing key': `SELECT coalesce((SELECT max(created_time) FROM @proof_keys),
    (SELECT min(time) FROM @audit_heads)) AS since`,
  // Completed requests count too, in case the digests are gone together with the key: each had one.
  'identity digests': `SELECT coalesce(
    (SELECT min(received_time) FROM @all_requests
     WHERE request_no = (SELECT min(request_no) FROM @identity_digests)),
    (SELECT min(completed_time) FROM @all_requests WHERE status = 'completed')) AS since`,
  'row authentication': `SELECT min(time) AS since FROM (
    SELECT created_time AS time FROM @controllers WHERE mac IS NOT NULL
    UNION ALL ${OF_ROW_KEY}) AS made`,
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
      // If several nodes create it at once, the second waits for the first to commit, and keeps that secret.
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
    madeWith: (name) => madeWith(database, name),
  };
}

async function madeWith(sql: Sql, name: string): Promise<number | null> {
  const query = MADE_WITH[name];
  if (query === undefined) return null;
  return (await sql.get<{ since: number | null }>(query))?.since ?? null;
}

async function isThere(sql: Sql, name: string): Promise<boolean> {
  return (await sql.get('SELECT 1 FROM @own_secrets WHERE name = :name', { name })) !== undefined;
}

/** Checked twice: another process may have just stored the secret and made something with it. */
async function missingOf(sql: Sql, name: string): Promise<MissingSecret | undefined> {
  if (await isThere(sql, name)) return undefined;
  const since = await madeWith(sql, name);
  return since === null || (await isThere(sql, name)) ? undefined : { name, since };
}
