import { describe } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { describeBackup } from './backup-suite.ts';
import { describeRegularBackups } from './regular-backups-suite.ts';

describeBackup('sqlite');
describeRegularBackups('sqlite');

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeBackup('postgres');
  describeRegularBackups('postgres');
});
