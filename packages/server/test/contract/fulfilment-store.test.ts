import { describe } from 'vitest';
import { hasPostgres } from '../helpers/fresh-postgres.ts';
import { openSqliteFulfilment } from '../helpers/open-fulfilment-store.ts';
import { openPostgresFulfilment } from '../helpers/open-postgres-fulfilment.ts';
import { describeFulfilmentStore } from './fulfilment-store-suite.ts';

describeFulfilmentStore('SQLite', openSqliteFulfilment);

describe.skipIf(!(await hasPostgres()))('with a PostgreSQL server', () => {
  describeFulfilmentStore('PostgreSQL', openPostgresFulfilment);
});
