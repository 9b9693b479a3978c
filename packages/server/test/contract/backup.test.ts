import { describe } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { describeBackup } from './backup-suite.ts';

describeBackup('sqlite');

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeBackup('postgres');
});
