import { hasPostgres } from '../helpers/fresh-postgres.ts';
import { describeRestoredStore } from './restored-store.ts';

describeRestoredStore('postgres', await hasPostgres());
