import { describe } from 'vitest';
import { hasPostgres } from '../helpers/fresh-postgres.ts';
import { openPostgresRecords } from '../helpers/open-postgres-records.ts';
import { openSqliteRecords } from '../helpers/open-sqlite-records.ts';
import { describeAlarms } from './alarms-suite.ts';

describeAlarms('SQLite', openSqliteRecords);

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeAlarms('PostgreSQL', openPostgresRecords);
});
