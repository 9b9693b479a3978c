// Creates the tables, but never in a schema that is in use: not even a migration may change one.
import { NotPossible } from '../../domain/task/operator-ports.ts';
import type { Database } from '../postgres/database.ts';
import { migrate, migrationStatus } from '../postgres/migrate.ts';

export async function prepareTarget(database: Database): Promise<void> {
  const { applied, waiting, newer } = await migrationStatus(database);
  if (newer.length > 0) {
    throw new NotPossible(
      `the target is not empty: schema ${database.schema} has a store of a later version; name another schema`,
    );
  }
  if (applied.length === 0) await requireNoTables(database);
  else if (waiting.length > 0) await requireUnfinished(database);
  await migrate(database);
}

async function requireNoTables(database: Database): Promise<void> {
  const found = await database.get('SELECT 1 FROM pg_tables WHERE schemaname = :schema LIMIT 1', {
    schema: database.schema,
  });
  if (found === undefined) return;
  throw new NotPossible(
    `the target is not empty: schema ${database.schema} has tables that are not of Unwrite; name another schema`,
  );
}

/** A copy begun by an earlier version; the schema is not in use. */
async function requireUnfinished(database: Database): Promise<void> {
  const found = await database.get('SELECT 1 FROM @store_copy WHERE finished_time IS NULL');
  if (found !== undefined) return;
  throw new NotPossible(
    `the target is not empty: schema ${database.schema} has a store of an earlier version; name another schema`,
  );
}
