// A row that loses columns by several entries is one row: in limits, and in the evidence of all tries together.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sqliteTransactions } from '../../src/connectors/sqlite/sqlite-transactions.ts';
import type { Overwrite, TableConfig } from '../../src/domain/target/target.ts';
import { SQL_DATABASES, type SqlTestDatabase } from '../connectors/sql/sql-databases.ts';
import { aTable } from '../connectors/sql/sql-target.ts';
import { JANE, JOE } from '../connectors/sql/use-sql-target.ts';
import { openSqlBatchWorld, type SqlBatchWorld } from './sql-batch-world.ts';

const [SQLITE] = SQL_DATABASES;
const NOTHING: Overwrite = { kind: 'null' };
const by = (column: string): TableConfig =>
  aTable('bookings', {
    name: `bookings (${column})`,
    match: { email: column },
    action: { kind: 'overwrite', columns: { [column]: NOTHING } },
  });
const PLAN = [by('host'), by('canceller')];
let database: SqlTestDatabase;
let world: SqlBatchWorld;

beforeEach(async () => {
  if (SQLITE === undefined) throw new Error('there is no database');
  database = await SQLITE.open();
  await database.query(`
    CREATE TABLE bookings (id INTEGER PRIMARY KEY, host VARCHAR(80), canceller VARCHAR(80));
    INSERT INTO bookings VALUES (1, '${JANE}', '${JANE}'), (2, '${JANE}', '${JOE}'), (3, '${JOE}', '${JANE}')`);
  for (const sql of sqliteTransactions.table?.create ?? []) await database.query(sql);
  world = await openSqlBatchWorld(database, PLAN, { maxRowsPerSubject: 3 });
});
afterEach(async () => {
  await world.close();
  await database.close();
});

const ONCE = { tables: { 'bookings (host)': { rows: 2 }, 'bookings (canceller)': { rows: 1 } } };

it('is within a limit that counts it once', async () => {
  const request = await world.erasureOf([JANE]);
  await world.run();
  expect(await world.evidenceOf(request, 'shop')).toMatchObject({ action: 'erased', ...ONCE });
});

it('is counted once if a worker died after erasing, and the row came back', async () => {
  const request = await world.erasureOf([JANE]);
  await world.dieBefore('verify');
  await database.query(`UPDATE bookings SET host = '${JANE}', canceller = '${JANE}' WHERE id = 1`);
  world.untilTomorrow();
  await world.run();
  expect(await world.evidenceOf(request, 'shop')).toMatchObject({ action: 'erased', ...ONCE });
});

it('is counted once if one of the entries is added later', async () => {
  world.configure([by('host')].map(({ name: _, ...entry }) => entry));
  const request = await world.erasureOf([JANE]);
  await world.dieBefore('verify');
  world.configure(PLAN);
  world.untilTomorrow();
  await world.run();
  const tables = Object.values((await world.evidenceOf(request, 'shop'))?.tables ?? {});
  expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBe(3);
  expect(await database.query('SELECT * FROM bookings ORDER BY id')).toMatchObject([
    { host: null, canceller: null },
    { host: null, canceller: JOE },
    { host: JOE, canceller: null },
  ]);
});
