import type { Sql } from './database.ts';

/** Settings of the database server that make a commit less than durable. Unwrite does not change them, but warns. */
export async function readUndurable(sql: Sql): Promise<string[]> {
  const rows = await sql.all<{ name: string }>(
    `SELECT name FROM pg_settings
     WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
     ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}
