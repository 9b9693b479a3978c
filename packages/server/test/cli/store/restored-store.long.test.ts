import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { describeRestoredStore } from './describe-restored-store.ts';

describeRestoredStore('sqlite', { isLong: true });
describeRestoredStore('postgres', { canRun: await hasPostgres(), isLong: true });
