// Rows that stay as shared are in the evidence, also where an attempt has erased the rows that led to them.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sqliteTransactions } from '../../src/connectors/sqlite/sqlite-transactions.ts';
import { TargetDown, type Verdict } from '../../src/domain/target/connector.ts';
import { SQL_DATABASES, type SqlTestDatabase } from '../connectors/sql/sql-databases.ts';
import { aTable } from '../connectors/sql/sql-target.ts';
import { JANE, JOE, via } from '../connectors/sql/use-sql-target.ts';
import { openSqlBatchWorld, type SqlBatchWorld } from './sql-batch-world.ts';

const [SQLITE] = SQL_DATABASES;
const PEOPLE = aTable('people', { match: { email: 'email' } });
const CHATS = aTable('chats', {
  via: [via('people', { a: 'id' }), via('people', { b: 'id' })],
  shared: 'keep',
});
let database: SqlTestDatabase;
let world: SqlBatchWorld;
beforeEach(async () => {
  if (SQLITE === undefined) throw new Error('there is no database');
  database = await SQLITE.open();
  await database.query(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
    CREATE TABLE chats (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER);
    INSERT INTO people VALUES (1, '${JANE}'), (2, '${JOE}');
    INSERT INTO chats VALUES (31, 1, 2), (32, 1, 1)`);
  for (const sql of sqliteTransactions.table?.create ?? []) await database.query(sql);
  world = await openSqlBatchWorld(database, [CHATS, PEOPLE]);
});
afterEach(async () => {
  await world.close();
  await database.close();
});

const remains: Verdict = { outcome: 'remains', counts: { people: 1 } };
const down = () => Promise.reject(new TargetDown('unreachable', 'it is away'));

it.each<[string, () => Promise<unknown>]>([
  ['the worker died after erasing', () => world.dieBefore('verify')],
  ['the target went down before it was verified', () => world.runWith({ verify: down })],
  ['the second look failed', () => world.runWith({ verify: async () => [remains] })],
])('shared rows that are kept are in the evidence if %s', async (_, firstTry) => {
  const request = await world.erasureOf([JANE]);
  await firstTry();
  world.untilTomorrow();
  await world.run();
  expect(await world.evidenceOf(request, 'shop')).toMatchObject({
    tables: { people: { rows: 1 }, chats: { rows: 1, shared_kept: 1 } },
  });
});
