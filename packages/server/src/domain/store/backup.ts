// Names of backups. A name says which store it is of and when its snapshot was taken: so a folder of backups needs no list.
import { DAY_MS } from '../time-units.ts';

const NAME = /^unwrite-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{12})-[^/]+\.backup$/;

export interface BackupName {
  readonly name: string;
  readonly time: number;
  readonly storeId: string;
}

export function backupNameOf(storeId: string, time: number, version: string): string {
  const written = new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `unwrite-${written}-${storeId}-${version}.backup`;
}

export function readBackupName(name: string): BackupName | undefined {
  const [, year, month, day, hour, minute, second, storeId] = NAME.exec(name) ?? [];
  if (storeId === undefined) return undefined;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : { name, time, storeId };
}

/** Those that are older than `keepMs`, but never the newest. */
export function expiredBackups(
  backups: readonly BackupName[],
  now: number,
  keepMs: number,
): BackupName[] {
  const newest = Math.max(...backups.map(({ time }) => time));
  return backups.filter(({ time }) => time < newest && time < now - keepMs);
}

/** What an interrupted backup of this store left. One that is being made is younger. */
export function isLeftPart(name: string, storeId: string, now: number): boolean {
  const [, whole = ''] = /^(.*)\.\d+\.part$/.exec(name) ?? [];
  const found = readBackupName(whole);
  return found !== undefined && found.storeId === storeId && found.time < now - DAY_MS;
}
