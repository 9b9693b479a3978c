import { describe } from 'vitest';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { describeAllAtOnce } from './describe-all-at-once.ts';

describe.skipIf(!(await hasPostgres()))('on PostgreSQL', () => describeAllAtOnce(25));
