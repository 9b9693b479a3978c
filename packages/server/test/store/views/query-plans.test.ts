import { describe } from 'vitest';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { describePostgresPlans, describeSqlitePlans } from './describe-query-plans.ts';

// Whether there is an index does not depend on how many they are; how PostgreSQL chooses does.
describeSqlitePlans(2000);
describe.skipIf(!(await hasPostgres()))('on a server', () => describePostgresPlans(12_000));
