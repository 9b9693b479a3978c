import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { describeRestoredStore } from './describe-restored-store.ts';

describeRestoredStore('postgres', await hasPostgres());
