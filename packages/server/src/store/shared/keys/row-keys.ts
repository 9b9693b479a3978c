// The key that authenticates rows is made with a new store: a row without a MAC was not written by us.
import type { RowKeyStore } from '../../../domain/keys/secret-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { OF_ROW_KEY } from './own-secrets.ts';

export function createRowKeyStore({ unprepared: database }: Database): RowKeyStore {
  return {
    addRowKey: (name, sealed) =>
      database.transaction(async (sql) => {
        await sql.lock('row key');
        const known = 'SELECT 1 AS one FROM @own_secrets WHERE name = :name';
        if ((await sql.get(known, { name })) !== undefined) return 'there';
        if (await hasMacs(sql)) return 'lost';
        await sql.run('INSERT INTO @own_secrets (name, sealed) VALUES (:name, :sealed)', {
          name,
          sealed,
        });
        return 'added';
      }),
  };
}

async function hasMacs(sql: Sql): Promise<boolean> {
  const row = await sql.get<{ has: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM @controllers WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @clients WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @client_secrets WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @tasks WHERE state <> 'erased' AND release_mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @audit_rows WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @new_audit_rows WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @requests WHERE created_mac IS NOT NULL)
         OR EXISTS (${OF_ROW_KEY})
         AS has`,
  );
  return Boolean(row?.has);
}
