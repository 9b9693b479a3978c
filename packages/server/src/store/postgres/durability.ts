import type { Sql } from './database.ts';

/** Settings of the server that make a commit less than durable. Not ours to change: but ours to tell. */
export async function readUndurable(sql: Sql): Promise<string[]> {
  const rows = await sql.all<{ name: string }>(
    `SELECT name FROM pg_settings
     WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
     ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}
