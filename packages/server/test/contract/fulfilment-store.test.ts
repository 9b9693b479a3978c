import { describe } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openSqliteFulfilment } from '../helpers/stores/open-fulfilment-store.ts';
import { openPostgresFulfilment } from '../helpers/stores/open-postgres-fulfilment.ts';
import { describeFulfilmentStore } from './fulfilment-store-suite.ts';

describeFulfilmentStore('SQLite', openSqliteFulfilment);

describe.skipIf(!(await hasPostgres()))('with a PostgreSQL server', () => {
  describeFulfilmentStore('PostgreSQL', openPostgresFulfilment);
});
