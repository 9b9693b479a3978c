// To run: copy into packages/server/test/fulfilment/.
// Found: a worker died between writing the intent (erasing) and the change; the shop's staff deleted the
// parent by hand. The children are still there, as they were, so the one transaction never happened; but the
// task is held with `reported: { people: 1 }`, and a person who retains it signs a receipt that we erased it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SQL_DATABASES, type SqlTestDatabase } from '../connectors/sql/sql-databases.ts';
import { aTable } from '../connectors/sql/sql-target.ts';
import { JANE, via } from '../connectors/sql/use-sql-target.ts';
import { openSqlBatchWorld, type SqlBatchWorld } from './sql-batch-world.ts';

const [SQLITE] = SQL_DATABASES;
const PEOPLE = aTable('people', { match: { email: 'email' } });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });
let database: SqlTestDatabase;
let world: SqlBatchWorld;
beforeEach(async () => {
  if (SQLITE === undefined) throw new Error('there is no database');
  database = await SQLITE.open();
  await database.query(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
    CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
    INSERT INTO people VALUES (1, '${JANE}');
    INSERT INTO orders VALUES (11, 1), (12, 1)`);
  world = await openSqlBatchWorld(database, [ORDERS, PEOPLE]);
});
afterEach(async () => {
  await world.close();
  await database.close();
});

it('a parent that was deleted by hand is not claimed while its children are unchanged', async () => {
  const request = await world.erasureOf([JANE]);
  await world.dieBefore('erase');
  await database.query('DELETE FROM people WHERE id = 1');
  await world.run();
  expect(await world.scene.task(request, 'shop')).toMatchObject({
    state: 'held',
    reason: 'orphaned',
    reported: null,
  });
});
