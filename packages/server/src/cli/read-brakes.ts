import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { Brake } from '../domain/brake-ports.ts';

/** For commands that do without a store: where there is none, or an older one, nothing is paused. */
export async function readBrakes({ dataDir }: Pick<Config, 'dataDir'>): Promise<Brake[]> {
  const { databasePathIn } = await import('../store/sqlite/open-store.ts');
  const path = databasePathIn(dataDir);
  if (!existsSync(path)) return [];
  const { openDatabase } = await import('../store/sqlite/open-database.ts');
  const { prepareBrakes } = await import('../store/sqlite/brakes.ts');
  const database = openDatabase(path, 'read');
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'brakes'").get();
    return table === undefined ? [] : prepareBrakes(database)();
  } finally {
    database.close();
  }
}
