import type { Config } from '../../config/config.ts';
import { SQLITE } from '../../config/store-kind.ts';
import type { BackedStore } from './make-backup.ts';

export async function storeOf(config: Config): Promise<BackedStore> {
  if (config.store !== SQLITE) {
    const { databaseOptionsOf } = await import('../postgres.ts');
    return { database: databaseOptionsOf(config) };
  }
  const { databasePathIn } = await import('../../store/sqlite/open-store.ts');
  return { databasePath: databasePathIn(config.dataDir) };
}
