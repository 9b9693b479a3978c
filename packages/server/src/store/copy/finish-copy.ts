// Makes the copy usable as a store: sequences continue where they were, and nodes may open it.

import { quoteName } from '../dialect.ts';
import type { Database, Sql } from '../postgres/database.ts';
import type { ComparedTable } from './compare-table.ts';
import type { CopySource } from './open-source.ts';

/** Records the result for each table, whether or not the copy can be finished. */
export async function recordComparison(
  database: Database,
  compared: readonly ComparedTable[],
): Promise<void> {
  await database.run(
    `UPDATE @copied_tables SET digest = it.digest, is_done = it.is_equal
     FROM unnest(:tables::text[], :digests::text[], :areEqual::boolean[]) AS it (table_name, digest, is_equal)
     WHERE copied_tables.table_name = it.table_name`,
    {
      tables: compared.map(({ table }) => table),
      digests: compared.map(({ target }) => target.digest),
      areEqual: compared.map(({ isEqual }) => isEqual),
    },
  );
}

export async function finishCopy(
  database: Database,
  source: CopySource,
  now: number,
): Promise<void> {
  // The server would update its statistics by itself, but plans would be bad until then.
  for (const { name } of source.tables) await database.run(`ANALYZE @${name}`);
  await database.transaction(async (sql) => {
    await continueNumbers(sql, database.schema, source);
    await sql.run('UPDATE @store_copy SET finished_time = :now', { now });
  });
}

async function continueNumbers(sql: Sql, schema: string, source: CopySource): Promise<void> {
  const numbered = await sql.all<{ table: string; column: string }>(
    `SELECT c.relname AS table, a.attname AS column
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = :schema::text::regnamespace AND c.relkind = 'r' AND a.attidentity = 'd'`,
    { schema: quoteName(schema) },
  );
  for (const { table, column } of numbered) {
    await sql.run(
      `SELECT setval(pg_get_serial_sequence(:table, :column), greatest(max(${column}), :last, 1),
                     greatest(max(${column}), :last) > 0)
       FROM @${table}`,
      {
        table: `${quoteName(schema)}.${quoteName(table)}`,
        column,
        last: source.lastNumberOf(table),
      },
    );
  }
}
