import { describe } from 'vitest';
import { hasPostgres } from '../helpers/fresh-postgres.ts';
import { openPostgresRecords } from '../helpers/open-postgres-records.ts';
import { openSqliteRecords } from '../helpers/open-sqlite-records.ts';
import { describeMetrics } from './metrics-suite.ts';

describeMetrics('SQLite', openSqliteRecords);

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeMetrics('PostgreSQL', openPostgresRecords);
});
