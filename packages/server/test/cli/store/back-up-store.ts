// A backup of an installation's own store, and its return: of the file, or of every table in the schema.
import { copyFileSync, rmSync } from 'node:fs';
import type { useInstallation } from '../use-installation.ts';

type Installation = Pick<ReturnType<typeof useInstallation>, 'options' | 'store' | 'inStore'>;

const fileOf = ({ options }: Installation) => `${options().dataDir}/unwrite.db`;

async function tablesOf({ inStore }: Installation): Promise<string[]> {
  const rows = await inStore(`SELECT tablename FROM pg_tables WHERE schemaname = 'unwrite'`);
  return rows.map(({ tablename }) => String(tablename));
}

/** While no server runs. */
export async function backUpStore(installation: Installation): Promise<void> {
  const { store, inStore } = installation;
  if (store().kind === 'sqlite') {
    copyFileSync(fileOf(installation), `${fileOf(installation)}-backup`);
    return;
  }
  const tables = await tablesOf(installation);
  await inStore('DROP SCHEMA IF EXISTS backup CASCADE');
  await inStore('CREATE SCHEMA backup');
  for (const name of tables) await inStore(`CREATE TABLE backup.${name} AS TABLE unwrite.${name}`);
}

export async function restoreStore(installation: Installation): Promise<void> {
  const { store, inStore } = installation;
  if (store().kind === 'sqlite') {
    const file = fileOf(installation);
    for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    copyFileSync(`${file}-backup`, file);
    return;
  }
  const tables = await tablesOf(installation);
  // References hold in the end, whatever the order.
  await inStore('SET session_replication_role = replica');
  await inStore(`TRUNCATE ${tables.join()}`);
  for (const name of tables) {
    await inStore(`INSERT INTO ${name} OVERRIDING SYSTEM VALUE TABLE backup.${name}`);
  }
  await inStore('SET session_replication_role = origin');
}
