import { describe } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { storesInMatrix } from '../helpers/stores/test-store.ts';
import { describeBackup } from './backup-suite.ts';
import { describeRegularBackups } from './regular-backups-suite.ts';

describeBackup('sqlite');

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeBackup('postgres');
});

// When they are made does not depend on the store.
for (const kind of await storesInMatrix('regular backups')) describeRegularBackups(kind);
