import { describe } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openPostgresRecords } from '../helpers/stores/open-postgres-records.ts';
import { openSqliteRecords } from '../helpers/stores/open-sqlite-records.ts';
import { describeEvents } from './events-suite.ts';

describeEvents('SQLite', openSqliteRecords);

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeEvents('PostgreSQL', openPostgresRecords);
});
