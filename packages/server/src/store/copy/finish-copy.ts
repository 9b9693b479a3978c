// Makes the copy a store: numbers go on where they were, and nodes may open it.

import { quoteName } from '../dialect.ts';
import type { Database, Sql } from '../postgres/database.ts';
import type { ComparedTable } from './compare-table.ts';
import type { CopySource } from './open-source.ts';

/** How it stands with each table, whether or not it comes to a finish. */
export async function recordComparison(
  database: Database,
  compared: readonly ComparedTable[],
): Promise<void> {
  await database.run(
    `UPDATE @copied_tables SET digest = it.digest, is_done = it.is_equal
     FROM unnest($1::text[], $2::text[], $3::boolean[]) AS it (table_name, digest, is_equal)
     WHERE copied_tables.table_name = it.table_name`,
    [
      compared.map(({ table }) => table),
      compared.map(({ target }) => target.digest),
      compared.map(({ isEqual }) => isEqual),
    ],
  );
}

export async function finishCopy(
  database: Database,
  source: CopySource,
  now: number,
): Promise<void> {
  // The statistics would come by themselves, but only after a while of bad plans.
  for (const { name } of source.tables) await database.run(`ANALYZE @${name}`);
  await database.transaction(async (sql) => {
    await continueNumbers(sql, database.schema, source);
    await sql.run('UPDATE @store_copy SET finished_time = $1', [now]);
  });
}

async function continueNumbers(sql: Sql, schema: string, source: CopySource): Promise<void> {
  const numbered = await sql.all<{ table: string; column: string }>(
    `SELECT c.relname AS table, a.attname AS column
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = $1::text::regnamespace AND c.relkind = 'r' AND a.attidentity = 'd'`,
    [quoteName(schema)],
  );
  for (const { table, column } of numbered) {
    await sql.run(
      `SELECT setval(pg_get_serial_sequence($1, $2), greatest(max(${column}), $3, 1),
                     greatest(max(${column}), $3) > 0)
       FROM @${table}`,
      [`${quoteName(schema)}.${quoteName(table)}`, column, source.lastNumberOf(table)],
    );
  }
}
