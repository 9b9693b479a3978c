// The backups that a server makes by itself.
import { duration, orOff, text } from './kinds.ts';
import { setting } from './setting.ts';

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

interface GivenBackups {
  readonly backupEvery?: number | null;
  readonly backupFolder?: string;
  readonly backupKeep?: number;
}

export function backupProblems(
  { backupEvery, backupFolder, backupKeep }: GivenBackups,
  { retentionBackups }: { readonly retentionBackups: number },
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
