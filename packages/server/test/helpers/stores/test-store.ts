// The store that a test's installation is on: a file of its own, or a database of its own on the run's
// PostgreSQL server. `npm run test:long -- e2e --store postgres` says it for all; a test may say it for itself.
import { atEndOfFile } from '../at-end-of-file.ts';
import { type FreshDatabase, freshPostgres, hasPostgres } from '../databases/fresh-postgres.ts';
import { inMatrix } from '../databases/matrix.ts';

export type StoreKind = 'sqlite' | 'postgres';

const said = process.env.UNWRITE_TEST_STORE;
export const DEFAULT_STORE: StoreKind = said === 'postgres' ? 'postgres' : 'sqlite';

/** For tests that are worth their time on both; the run's last lines say which could not be had. */
export async function storeKinds(): Promise<StoreKind[]> {
  if (said) return [DEFAULT_STORE];
  return (await hasPostgres()) ? ['sqlite', 'postgres'] : ['sqlite'];
}

/** For those whose subject is not the store: `npm test` has them on one of the two, fixed by the title. */
export async function storesInMatrix(title: string): Promise<readonly StoreKind[]> {
  return inMatrix(title, await storeKinds());
}

export interface TestStore {
  readonly kind: StoreKind;
  /** What `unwrite` finds it by, beside the data folder. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where it is a database. */
  readonly database: FreshDatabase | undefined;
}

export async function makeTestStore(kind: StoreKind = DEFAULT_STORE): Promise<TestStore> {
  if (kind === 'sqlite') return { kind, environment: {}, database: undefined };
  const database = await freshPostgres();
  atEndOfFile(() => database.close());
  // Many of them share one server.
  const environment = { UNWRITE_STORE: database.url, UNWRITE_STORE_POOL_SIZE: '4' };
  return { kind, environment, database };
}
