// What only one of all nodes may do at a time, for as long as a transaction lasts.
import type { Database, Sql } from './database.ts';

/** Waits until nobody else is at it. What the transaction reads after this knows of what they did. */
export async function takeTurn(
  sql: Sql,
  { schema }: Pick<Database, 'schema'>,
  what: string,
): Promise<void> {
  await sql.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `unwrite ${schema}: ${what}`,
  ]);
}
