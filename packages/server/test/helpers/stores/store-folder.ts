// A folder with an empty SQLite store, for tests that are about what is done with one: to migrate it takes
// 20 ms of processor time, to copy it less than one. Those of the migrations are in store/sqlite.
import { readFileSync, writeFileSync } from 'node:fs';
import { databasePathIn, openSqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';

let migrated: Promise<Uint8Array> | undefined;

export async function makeStoreFolder(): Promise<TemporaryFolder> {
  migrated ??= migrate();
  const folder = makeTemporaryFolder();
  writeFileSync(databasePathIn(folder.path), await migrated, { mode: 0o600 });
  return folder;
}

async function migrate(): Promise<Uint8Array> {
  const folder = makeTemporaryFolder();
  await openSqliteStore(folder.path, () => 0).close();
  const bytes = readFileSync(databasePathIn(folder.path));
  folder.remove();
  return bytes;
}
