import { describe } from 'vitest';
import { createEmbeddedQueue } from '../../src/queue/embedded.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { openPostgresFulfilment } from '../helpers/stores/open-postgres-fulfilment.ts';
import { keepPgBossKind } from '../queue/pg-boss-kind.ts';
import { describeQueue } from './queue-suite.ts';

describeQueue('embedded', async () => ({
  create: createEmbeddedQueue,
  close: async () => undefined,
}));

describe.skipIf(!(await hasPostgres()))('on PostgreSQL', () => {
  describeQueue('pg-boss', keepPgBossKind(), openPostgresFulfilment);
});
