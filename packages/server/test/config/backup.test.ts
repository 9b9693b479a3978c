import { expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config/config.ts';

function problemsOf(flags: Record<string, string>): readonly string[] {
  try {
    loadConfig(flags, {}, '/nowhere');
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

it('backups need a folder', () => {
  expect(problemsOf({ backupEvery: '24h' })).toEqual([
    'backup.every needs backup.folder: where backups are written to',
  ]);
  expect(problemsOf({ backupEvery: '24h', backupFolder: 'backups' })).toEqual([]);
});

it('backups are not kept for longer than retention.backups', () => {
  const folder = { backupEvery: '24h', backupFolder: 'backups' };
  expect(problemsOf({ ...folder, backupKeep: '35d' })).toEqual([]);
  expect(problemsOf({ ...folder, backupKeep: '36d' })).toEqual([
    expect.stringContaining('backup.keep may not be longer than retention.backups'),
  ]);
  expect(problemsOf({ ...folder, retentionBackups: '7d', backupKeep: '8d' })).toHaveLength(1);
  expect(loadConfig({ ...folder, retentionBackups: '7d' }, {}, '/').config.backupKeep).toBe(
    7 * 86_400,
  );
});
