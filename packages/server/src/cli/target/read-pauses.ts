import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { SQLITE } from '../../config/store-kind.ts';
import type { Pause } from '../../domain/task/pause-ports.ts';

/** For commands that also work without a store: with no store, or an older one, nothing is paused. */
export async function readPauses(config: Config): Promise<Pause[]> {
  return config.store === SQLITE ? readFromSqlite(config) : readFromPostgres(config);
}

async function readFromPostgres(config: Config): Promise<Pause[]> {
  const { databaseOptionsOf } = await import('../../app/postgres.ts');
  const { openDatabase } = await import('../../store/postgres/database.ts');
  const { createPauseOperator } = await import('../../store/shared/tasks/pauses.ts');
  const database = openDatabase(databaseOptionsOf(config));
  try {
    const table = await database.get("SELECT 1 WHERE to_regclass('@brakes') IS NOT NULL");
    return table === undefined ? [] : await createPauseOperator(database).list();
  } finally {
    await database.close();
  }
}

async function readFromSqlite({ dataDir }: Config): Promise<Pause[]> {
  const { databasePathIn } = await import('../../store/sqlite/open-store.ts');
  const path = databasePathIn(dataDir);
  if (!existsSync(path)) return [];
  const { openDatabase } = await import('../../store/sqlite/open-database.ts');
  const { createPauseOperator } = await import('../../store/shared/tasks/pauses.ts');
  const { databaseOn } = await import('../../store/sqlite/database.ts');
  const database = openDatabase(path, 'read');
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'brakes'").get();
    return table === undefined ? [] : await createPauseOperator(databaseOn(database)).list();
  } finally {
    database.close();
  }
}
