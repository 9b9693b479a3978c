// Makes, finds and removes backups of the store. Plain data in, because the chore is in another thread.
import { join } from 'node:path';
import { backupNameOf } from '../../domain/store/backup.ts';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { writeDurableStream } from '../../files/durable-stream.ts';
import type { BackupManifest } from '../../store/backup/backup-format.ts';
import type { StoreSnapshot } from '../../store/backup/snapshot.ts';
import {
  type BackupOutput,
  type ReportRows,
  writeBackup,
} from '../../store/backup/write-backup.ts';
import type { DatabaseOptions } from '../../store/postgres/database.ts';
import { VERSION } from '../version.ts';

export type BackedStore =
  | { readonly databasePath: string }
  | { readonly database: DatabaseOptions };

export interface MadeBackup {
  readonly storeId: string;
  readonly time: number;
  readonly manifest: BackupManifest;
}

export async function withSnapshot<T>(
  store: BackedStore,
  work: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  if ('databasePath' in store) {
    const { withSqliteSnapshot } = await import('../../store/backup/sqlite-snapshot.ts');
    return withSqliteSnapshot(store.databasePath, work);
  }
  const { withPostgresSnapshot } = await import('../../store/backup/postgres-snapshot.ts');
  const { openDatabase } = await import('../../store/postgres/database.ts');
  const database = openDatabase({ ...store.database, poolSize: 1, name: 'unwrite backup' });
  try {
    return await withPostgresSnapshot(database, work);
  } finally {
    await database.close();
  }
}

/** Made while the snapshot is open. */
export async function writeSnapshot(
  snapshot: StoreSnapshot,
  output: BackupOutput,
  time: number,
  report: ReportRows = () => undefined,
): Promise<MadeBackup> {
  const { kind, storeId, migrations, masterKeyIds } = snapshot;
  const header = { kind, storeId, migrations, masterKeyIds, time, version: VERSION };
  return { storeId, time, manifest: await writeBackup(snapshot, header, output, report) };
}

/** Returns the name of the file; it is in the folder when everything is in it, and synced. */
export async function writeBackupFile(
  folder: string,
  snapshot: StoreSnapshot,
  time: number,
  report?: ReportRows,
): Promise<MadeBackup & { readonly name: string }> {
  const name = backupNameOf(snapshot.storeId, time, VERSION);
  const file = await writeDurableStream(join(folder, name));
  try {
    const made = await writeSnapshot(snapshot, file, time, report);
    await file.finish();
    return { ...made, name };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** What to do about a folder that cannot be written to. */
export function folderProblem(folder: string, error: unknown): NotPossible | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string' || syscall === undefined) return undefined;
  const what = code === 'ENOENT' ? 'does not exist; make it, or mount it' : WHAT_TO_DO[code];
  return new NotPossible(
    `the backup was not made: ${folder} ${what ?? `cannot be written (${code})`}`,
  );
}

const WHAT_TO_DO: Readonly<Record<string, string>> = {
  ENOTDIR: 'is not a folder; name a folder',
  EACCES: 'cannot be written by this user; give it the right to write there',
  EROFS: 'is on a file system that is read-only; name another folder',
  ENOSPC: 'has no space left; make room there',
  EDQUOT: 'has no space left for this user; make room there',
};
