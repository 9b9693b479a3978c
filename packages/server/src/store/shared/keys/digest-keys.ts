import type {
  DigestKeyStore,
  DigestRange,
  StoredDigestKey,
} from '../../../domain/keys/digest-key-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';

const LOCK = 'digest keys';
/** Digests from before keys had periods do not start with a key number. */
const UNNUMBERED_BYTES = 32;

export function createDigestKeyStore({ unprepared: database }: Database): DigestKeyStore {
  return {
    digestKeys: () =>
      database.all<StoredDigestKey>(
        `SELECT name, sealed FROM @own_secrets WHERE name LIKE 'identity digests%'`,
      ),
    replaceDigestKey: ({ name, before, sealed }, ended, by) =>
      database.transaction(async (sql) => {
        await sql.lock(LOCK);
        const replaced = await sql.run(
          'UPDATE @own_secrets SET sealed = :sealed WHERE name = :name AND sealed = :before',
          { sealed, name, before },
        );
        if (replaced === 0) return false;
        await sql.run('INSERT INTO @own_secrets (name, sealed) VALUES (:name, :sealed)', {
          ...ended,
        });
        await appendAudit(sql, [auditOf('digest_key.replaced', by, { ended: ended.name })]);
        return true;
      }),
    destroyDigestKey: (name, range, by) =>
      database.transaction(async (sql) => {
        await sql.lock(LOCK);
        for (const table of ['@identity_digests', '@legal_hold_digests']) {
          if (await hasDigestsOf(sql, table, range)) return false;
        }
        const deleted = await sql.run('DELETE FROM @own_secrets WHERE name = :name', { name });
        if (deleted === 0) return false;
        await appendAudit(sql, [auditOf('digest_key.destroyed', by, { key: name })]);
        return true;
      }),
  };
}

async function hasDigestsOf(sql: Sql, table: string, range: DigestRange): Promise<boolean> {
  const own =
    range === null ? `length(digest) = ${UNNUMBERED_BYTES}` : 'digest >= :from AND digest < :until';
  const left = await sql.get(`SELECT 1 AS one FROM ${table} WHERE ${own} LIMIT 1`, { ...range });
  return left !== undefined;
}
