// Several requests of one person in a batch: rows count for the oldest that may have them erased.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NewRequest } from '../../src/domain/request/request.ts';
import type { SqlTargetConfig } from '../../src/domain/target/target.ts';
import { SQL_DATABASES, type SqlTestDatabase } from '../connectors/sql/sql-databases.ts';
import { aTable } from '../connectors/sql/sql-target.ts';
import { JANE, JOE, via } from '../connectors/sql/use-sql-target.ts';
import { openSqlBatchWorld, type SqlBatchWorld } from './sql-batch-world.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });
const OTHER = 'x@example.com';
let database: SqlTestDatabase;
let world: SqlBatchWorld;

beforeEach(async () => {
  const sqlite = SQL_DATABASES.find(({ connector }) => connector === 'sqlite');
  if (sqlite === undefined) throw new Error('there is no SQLite');
  database = await sqlite.open();
  await database.query(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
    CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
    INSERT INTO people VALUES (1, '${JANE}'), (2, '${JOE}'), (3, '${OTHER}');
    INSERT INTO orders VALUES (31, 1), (32, 1), (33, 2)`);
});
afterEach(async () => {
  await world.close();
  await database.close();
});

const open = async (changes: Partial<SqlTargetConfig>) => {
  world = await openSqlBatchWorld(database, [ORDERS, PEOPLE], changes);
};
const requestsOf = async (...emails: string[]) => {
  const requests: NewRequest[] = [];
  for (const one of emails) requests.push(await world.erasureOf([one]));
  return requests;
};
const statesOf = async (requests: readonly NewRequest[]) =>
  Promise.all(
    requests.map(async (request) => {
      const { state, reason } = await world.scene.task(request, 'shop');
      return reason === null ? state : `${state}: ${reason}`;
    }),
  );

it('who wait for tomorrow keep nobody else from being erased today', async () => {
  await open({ maxRowsPerDay: 3 });
  await requestsOf(OTHER);
  await world.run();
  const requests = await requestsOf(JANE, JANE, JANE, JOE);
  await world.run();
  const waits = 'waiting: daily_cap';
  expect(await statesOf(requests)).toEqual([waits, waits, waits, 'erased']);
});

it('are both done the day after a limit', async () => {
  await open({ maxRowsPerDay: 3 });
  await requestsOf(OTHER);
  await world.run();
  const requests = await requestsOf(JANE, JANE);
  await world.run();
  world.untilTomorrow();
  await world.run();
  expect(await statesOf(requests)).toEqual(['erased', 'erased']);
});

it('are both done when both are released', async () => {
  await open({ maxRowsPerSubject: 2 });
  const requests = await requestsOf(JANE, JANE);
  await world.run();
  for (const request of requests) {
    const { taskNo } = await world.scene.task(request, 'shop');
    await world.under.operator.release(taskNo, { actor: 'operator:o', now: world.clock.now });
  }
  await world.run();
  expect(await statesOf(requests)).toEqual(['erased', 'erased']);
});
