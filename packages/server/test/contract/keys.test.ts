import { describe } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openPostgresRecords } from '../helpers/stores/open-postgres-records.ts';
import { openSqliteRecords } from '../helpers/stores/open-sqlite-records.ts';
import { describeKeys } from './keys-suite.ts';

describeKeys('SQLite', openSqliteRecords);

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeKeys('PostgreSQL', openPostgresRecords);
});
