import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { SQLITE } from '../../config/store-kind.ts';
import type { TargetFacts } from '../../operator/target/target-lines.ts';
import type { Database } from '../../store/sql.ts';

type Facts = Pick<TargetFacts, 'pauses' | 'circuits'>;
const NOTHING: Facts = { pauses: [], circuits: [] };

/** For commands that also work without a store: with no store, or an older one, nothing is paused or down. */
export async function readFacts(config: Config): Promise<Facts> {
  return config.store === SQLITE ? readFromSqlite(config) : readFromPostgres(config);
}

async function readFromPostgres(config: Config): Promise<Facts> {
  const { databaseOptionsOf } = await import('../../app/postgres.ts');
  const { openDatabase } = await import('../../store/postgres/database.ts');
  const database = openDatabase(databaseOptionsOf(config));
  try {
    const table = await database.get("SELECT 1 WHERE to_regclass('@brakes') IS NOT NULL");
    return table === undefined ? NOTHING : await factsIn(database);
  } finally {
    await database.close();
  }
}

async function readFromSqlite({ dataDir }: Config): Promise<Facts> {
  const { databasePathIn } = await import('../../store/sqlite/open-store.ts');
  const path = databasePathIn(dataDir);
  if (!existsSync(path)) return NOTHING;
  const { openDatabase } = await import('../../store/sqlite/open-database.ts');
  const { databaseOn } = await import('../../store/sqlite/database.ts');
  const database = openDatabase(path, 'read');
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'brakes'").get();
    return table === undefined ? NOTHING : await factsIn(databaseOn(database));
  } finally {
    database.close();
  }
}

async function factsIn(database: Database): Promise<Facts> {
  const { readCircuits } = await import('../../store/shared/tasks/circuits.ts');
  const { createPauseOperator } = await import('../../store/shared/tasks/pauses.ts');
  return {
    pauses: await createPauseOperator(database).list(),
    circuits: await readCircuits(database),
  };
}
