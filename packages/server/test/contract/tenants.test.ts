import { describe } from 'vitest';
import { hasPostgres } from '../helpers/fresh-postgres.ts';
import { openPostgresRecords } from '../helpers/open-postgres-records.ts';
import { openSqliteRecords } from '../helpers/open-sqlite-records.ts';
import { describeTenants } from './tenants-suite.ts';

describeTenants('SQLite', openSqliteRecords);

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeTenants('PostgreSQL', openPostgresRecords);
});
