// The backups that a server makes by itself.
import { duration, orOff, text } from './kinds.ts';
import { setting } from './setting.ts';
import type { DefaultedSettings, GivenSettings } from './settings.ts';

export const BACKUP_SETTINGS = {
  backupEvery: setting(
    'backup.every',
    orOff(duration('1h', '30d')),
    'How often the server makes a backup of the store, or off',
    'off',
  ),
  backupFolder: setting('backup.folder', text(), 'Folder that backups are written to', 'none'),
  backupKeep: setting(
    'backup.keep',
    duration('1h', '3650d'),
    'How long a backup stays in backup.folder; at most retention.backups',
    'retention.backups',
  ),
} as const;

export function backupProblems(
  { backupEvery, backupFolder, backupKeep }: GivenSettings,
  { retentionBackups }: Pick<DefaultedSettings, 'retentionBackups'>,
): string[] {
  const problems: string[] = [];
  if (backupEvery && backupFolder === undefined) {
    problems.push('backup.every needs backup.folder: where backups are written to');
  }
  if (backupKeep !== undefined && backupKeep > retentionBackups) {
    problems.push(
      'backup.keep may not be longer than retention.backups: keys that such backups need would be destroyed; shorten the one, or lengthen the other',
    );
  }
  return problems;
}
