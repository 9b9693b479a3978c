// A backup is of one moment: what is committed while it is made is not in it, whichever table is read first.
import { expect, it } from 'vitest';
import { withPostgresSnapshot } from '../../../src/store/backup/postgres-snapshot.ts';
import type { StoreSnapshot } from '../../../src/store/backup/snapshot.ts';
import { withSqliteSnapshot } from '../../../src/store/backup/sqlite-snapshot.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { databasePathIn } from '../../../src/store/sqlite/open-store.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { freshStoreDatabase } from '../../helpers/stores/fresh-store-database.ts';
import { makeStoreFolder } from '../../helpers/stores/store-folder.ts';

async function controllersIn({ tables, rows }: StoreSnapshot): Promise<unknown[]> {
  const table = tables.find(({ name }) => name === 'controllers');
  if (table === undefined) throw new Error('a backup has no controllers');
  const found: unknown[] = [];
  for await (const some of rows(table)) found.push(...some.map(([id]) => id));
  return found;
}

const FIRST_KEY = `INSERT INTO @master_keys (master_key_id, created_time) VALUES ('key', 1)`;
const insert = (table: string, id: string) =>
  `INSERT INTO ${table} (controller_id, created_time) VALUES ('${id}', 1)`;

it('of a store on SQLite', async () => {
  const folder = await makeStoreFolder();
  const path = databasePathIn(folder.path);
  const beside = openDatabase(path, 'write');
  beside.exec(`${FIRST_KEY.replace('@', '')}; ${insert('controllers', 'before')}`);
  const found = await withSqliteSnapshot(path, async (snapshot) => {
    beside.exec(insert('controllers', 'meanwhile'));
    return controllersIn(snapshot);
  });
  expect(found).toEqual(['before']);
  beside.close();
  folder.remove();
});

it.skipIf(!(await hasPostgres()))('of a store on PostgreSQL', async () => {
  const { database, close } = await freshStoreDatabase();
  await database.run(FIRST_KEY);
  await database.run(insert('@controllers', 'before'));
  const found = await withPostgresSnapshot(database, async (snapshot) => {
    await database.run(insert('@controllers', 'meanwhile'));
    return controllersIn(snapshot);
  });
  expect(found).toEqual(['before']);
  await close();
});
