// Restores a backup into an empty place, and declares the restore there: nothing beside a new store could tell that it is
// one, and a request that was cancelled since the backup is pending in it.
import type { Config } from '../../config/config.ts';
import { SQLITE } from '../../config/store-kind.ts';
import type { BackupHeader } from '../../store/backup/backup-format.ts';
import { readBackup } from '../../store/backup/read-backup.ts';
import {
  type RestoredBackup,
  type RestorePlace,
  restoreInto,
} from '../../store/backup/restore-place.ts';
import type { ReportRows } from '../../store/backup/write-backup.ts';
import { createOwnSecretStore } from '../../store/shared/keys/own-secrets.ts';
import { createRestoreStore } from '../../store/shared/restores/restores.ts';
import type { Database } from '../../store/sql.ts';
import { loadVaultKeys } from '../../vault/load-keys.ts';
import type { MasterKeyRing } from '../../vault/master-key.ts';
import { openRowKey } from '../../vault/row-key.ts';
import { createSecretSealer } from '../../vault/seal-secret.ts';

export async function restoreBackup(
  config: Config,
  chunks: AsyncIterable<Uint8Array | string>,
  actor: string,
  report: ReportRows,
): Promise<RestoredBackup> {
  const place = await openPlace(config);
  let ring: MasterKeyRing | undefined;
  try {
    return await restoreInto(place, readBackup(chunks), {
      async check(header) {
        ring = await keysOf(config, header);
      },
      async complete(database, { time }) {
        if (ring === undefined) throw new Error('the keys were not checked');
        await declare(database, ring, {
          actor,
          reason: `a backup of ${new Date(time).toISOString()} was restored by "unwrite backup restore"`,
        });
      },
      report,
    });
  } finally {
    await place.close();
  }
}

async function openPlace(config: Config): Promise<RestorePlace> {
  if (config.store === SQLITE) {
    const { sqlitePlace } = await import('../../store/backup/sqlite-place.ts');
    return sqlitePlace(config.dataDir, Date.now);
  }
  const { postgresPlace } = await import('../../store/backup/postgres-place.ts');
  const { openDatabase } = await import('../../store/postgres/database.ts');
  const { databaseOptionsOf } = await import('../postgres.ts');
  return postgresPlace(openDatabase(databaseOptionsOf(config)), Date.now);
}

/** The check of every start, before anything is written: throws where a key that the backup needs is missing. */
async function keysOf(config: Config, { masterKeyIds }: BackupHeader): Promise<MasterKeyRing> {
  const given = {
    masterKeyIds: async () => [...masterKeyIds],
    addFirstMasterKey: async () => true,
    addMasterKeys: async () => undefined,
  };
  return (await loadVaultKeys(config, given, Date.now)).ring;
}

async function declare(
  database: Database,
  ring: MasterKeyRing,
  { actor, reason }: { readonly actor: string; readonly reason: string },
): Promise<void> {
  const rowKey = await openRowKey(createOwnSecretStore(database), createSecretSealer(ring));
  database.rowMacs.setKey(rowKey);
  await createRestoreStore(database, database.rowMacs).declare(reason, { actor, now: Date.now() });
}
