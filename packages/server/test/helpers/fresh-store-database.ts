// An empty store on the run's PostgreSQL server: a schema of its own, migrated.
// describe.skipIf(!(await hasPostgres()))('…', …)
import { randomBytes } from 'node:crypto';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  quoteName,
} from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { borrowServer } from './borrow-server.ts';

export interface FreshStoreDatabase {
  readonly options: DatabaseOptions;
  readonly database: Database;
  close(): Promise<void>;
}

export async function freshStoreDatabase(
  changes: Partial<DatabaseOptions> = {},
): Promise<FreshStoreDatabase> {
  const server = await borrowServer('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL; skip with hasPostgres()');
  const options: DatabaseOptions = {
    url: new URL('postgres', server).href,
    schema: `store_${randomBytes(6).toString('hex')}`,
    poolSize: 4,
    statementTimeout: 30_000,
    prepare: true,
    name: 'unwrite test',
    ...changes,
  };
  const database = openDatabase(options);
  await migrate(database);
  return {
    options,
    database,
    async close() {
      await database.run(`DROP SCHEMA ${quoteName(options.schema)} CASCADE`);
      await database.close();
    },
  };
}
