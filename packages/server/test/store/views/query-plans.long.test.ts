import { describe } from 'vitest';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { describePostgresPlans, describeSqlitePlans } from './describe-query-plans.ts';

describeSqlitePlans(100_000);
describe.skipIf(!(await hasPostgres()))('on a server', () => describePostgresPlans(100_000));
