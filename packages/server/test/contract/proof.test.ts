import { describe } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openPostgresRecords } from '../helpers/stores/open-postgres-records.ts';
import { openSqliteRecords } from '../helpers/stores/open-sqlite-records.ts';
import { describeProof } from './proof-suite.ts';

describeProof('SQLite', openSqliteRecords);

describe.skipIf(!(await hasPostgres()))('with a server', () => {
  describeProof('PostgreSQL', openPostgresRecords);
});
