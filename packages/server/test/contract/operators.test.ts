import { describe } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openPostgresRecords } from '../helpers/stores/open-postgres-records.ts';
import { openSqliteRecords } from '../helpers/stores/open-sqlite-records.ts';
import { describeOperators } from './operators-suite.ts';

describeOperators('SQLite', openSqliteRecords);

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeOperators('PostgreSQL', openPostgresRecords);
});
