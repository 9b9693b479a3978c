import { describe } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openPostgresRecords } from '../helpers/stores/open-postgres-records.ts';
import { openSqliteRecords } from '../helpers/stores/open-sqlite-records.ts';
import { describeAlarms } from './alarms-suite.ts';

describeAlarms('SQLite', openSqliteRecords);

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeAlarms('PostgreSQL', openPostgresRecords);
});
