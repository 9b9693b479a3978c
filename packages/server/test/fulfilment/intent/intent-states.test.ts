// An intent is recorded, erasing or done. Only what a worker began to erase can be recovered; whatever else
// became of the rows is told as it was.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import { SQL_DATABASES, type SqlTestDatabase } from '../../connectors/sql/sql-databases.ts';
import { aTable } from '../../connectors/sql/sql-target.ts';
import { JANE, JOE, via } from '../../connectors/sql/use-sql-target.ts';
import { BY } from '../../contract/fulfilment/under-test.ts';
import { openSqlBatchWorld, type SqlBatchWorld } from '../sql-batch-world.ts';

const POSTGRES = SQL_DATABASES.find(({ connector }) => connector === 'postgres');
const isThere = await POSTGRES?.isThere();
const PEOPLE = aTable('people', { match: { email: 'email' } });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });
/** Joe has two rows and Jane three: too many for one day. */
const CAPPED = { maxRowsPerDay: 4, lockTimeout: 50 };
const FILL = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, no INTEGER NOT NULL UNIQUE, email VARCHAR(200));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
  INSERT INTO people VALUES (1, 2, '${JANE}'), (2, 1, '${JOE}');
  INSERT INTO orders VALUES (11, 1), (12, 1), (21, 2)`;

async function openFilled(): Promise<SqlTestDatabase> {
  if (POSTGRES === undefined) throw new Error('there is no database');
  const database = await POSTGRES.open();
  await database.query(FILL);
  return database;
}

describe.skipIf(isThere !== true)('the intent of an attempt', () => {
  let database: SqlTestDatabase;
  let world: SqlBatchWorld;
  let request: NewRequest;
  beforeEach(async () => {
    database = await openFilled();
    world = await openSqlBatchWorld(database, [ORDERS, PEOPLE], CAPPED);
  });
  afterEach(async () => {
    await world.close();
    await database.close();
  });

  const task = () => world.scene.task(request, 'shop');
  const evidence = () => world.evidenceOf(request, 'shop');
  async function release(): Promise<void> {
    const now = Math.max(BY.now, world.clock.now);
    await world.under.operator.release((await task()).taskNo, { ...BY, now });
    world.clock.now = now;
    await world.run();
  }
  async function idsOf(table: string): Promise<number[]> {
    const rows = await database.query(`SELECT id FROM ${table} ORDER BY id`);
    return rows.map(({ id }) => Number(id));
  }

  describe('an intent that a daily limit kept from being erased', () => {
    beforeEach(async () => {
      await world.erasureOf([JOE]);
      request = await world.erasureOf([JANE]);
      await world.run();
      expect(await task()).toMatchObject({ state: 'waiting', reason: 'daily_cap' });
      expect(await idsOf('orders')).toEqual([11, 12]);
      world.untilTomorrow();
    });

    it('is erased the next day, and nothing was recovered', async () => {
      await world.run();
      expect(await evidence()).toMatchObject({
        action: 'erased',
        tables: { people: { rows: 1 }, orders: { rows: 2 } },
      });
      expect(await evidence()).not.toHaveProperty('recovered');
    });

    it('does not claim what the shop’s staff deleted in the meantime', async () => {
      await database.query('DELETE FROM orders WHERE person = 1');
      await database.query('DELETE FROM people WHERE id = 1');
      await world.run();
      expect(await task()).toMatchObject({ state: 'held', reason: 'orphaned' });
      await release();
      expect(await evidence()).toMatchObject({ action: 'not_found', tables: {} });
      expect(await evidence()).not.toHaveProperty('recovered');
    });

    it('leaves what belongs to somebody else by then', async () => {
      await database.query('DELETE FROM orders WHERE id = 11');
      await database.query('UPDATE orders SET person = 7 WHERE id = 12');
      await database.query(`INSERT INTO people VALUES (7, 7, 'ann@example.com')`);
      await world.run();
      await release();
      expect((await evidence())?.tables).toEqual({ people: { action: 'delete', rows: 1 } });
      expect(await idsOf('orders')).toEqual([12]);
    });

    it('is void if a table was removed from the configuration since', async () => {
      world.configure([PEOPLE]);
      await world.run();
      const { tables = {} } = (await evidence()) ?? {};
      expect(Object.keys(tables)).toEqual(['people']);
      expect(await evidence()).not.toHaveProperty('recovered');
      expect(await idsOf('orders')).toEqual([11, 12]);
    });

    it('is void if the key is another since, and no key is read as a value of it', async () => {
      await database.query(`INSERT INTO people VALUES (9, 1, 'ann@example.com')`);
      world.configure([ORDERS, { ...PEOPLE, key: ['no'] }]);
      await world.run();
      expect(await evidence()).toMatchObject({ tables: { people: { rows: 1 } } });
      expect(await idsOf('people')).toEqual([9]);
    });

    it('is void if the target is another database since', async () => {
      const other = await openFilled();
      try {
        await other.query('DELETE FROM orders');
        world.configure([ORDERS, PEOPLE], CAPPED, other);
        await world.run();
        expect(await evidence()).toMatchObject({
          action: 'erased',
          tables: { people: { rows: 1 } },
        });
        expect((await evidence())?.tables).not.toHaveProperty('orders');
        expect(await idsOf('orders')).toEqual([11, 12]);
      } finally {
        await other.close();
      }
    });

    it('is erased with another mode or other caps', async () => {
      await database.query('DELETE FROM orders WHERE person = 1');
      world.configure([ORDERS, PEOPLE], { maxRowsPerSubject: 50, maxRowsPerDay: 400 });
      await world.run();
      await release();
      expect((await evidence())?.tables).toEqual({ people: { action: 'delete', rows: 1 } });
    });
  });

  describe('an intent of a worker that died', () => {
    beforeEach(async () => {
      request = await world.erasureOf([JANE]);
    });

    it('an intent whose worker died after erasing is recovered, even if the key has changed since', async () => {
      await world.dieBefore('verify');
      expect(await idsOf('people')).toEqual([2]);
      world.configure([ORDERS, { ...PEOPLE, key: ['no'] }]);
      await world.run();
      expect(await evidence()).toMatchObject({
        action: 'erased',
        recovered: true,
        tables: { people: { rows: 1 }, orders: { rows: 2 } },
      });
      expect(await idsOf('people')).toEqual([2]);
    });

    it('an intent whose worker died before erasing is not recovered, and each row counts once', async () => {
      await world.dieBefore('erase');
      await world.run();
      expect(await evidence()).toMatchObject({
        tables: { people: { rows: 1 }, orders: { rows: 2 } },
      });
      expect(await evidence()).not.toHaveProperty('recovered');
    });

    it('may have erased up to its rows, if the target has another address since: it cannot be asked there', async () => {
      await world.dieBefore('verify');
      const other = await openFilled();
      try {
        world.configure([ORDERS, PEOPLE], CAPPED, other);
        await world.run();
        expect(await evidence()).toMatchObject({
          tables: { people: { rows: 1, unconfirmed: 1 }, orders: { rows: 2, unconfirmed: 2 } },
        });
        expect(await other.query('SELECT id FROM people')).toHaveLength(1);
      } finally {
        await other.close();
      }
    });
  });

  describe('an attempt that says that nothing was touched', () => {
    it('does not let the next attempt claim rows that another process deleted', async () => {
      request = await world.erasureOf([JANE]);
      const endOther = await database.disturb('UPDATE people SET no = no WHERE id = 1');
      await world.run();
      await endOther();
      expect(await task()).toMatchObject({ state: 'failed', reason: 'lock_timeout' });
      await database.query('DELETE FROM orders WHERE person = 1');
      await database.query('DELETE FROM people WHERE id = 1');
      world.untilTomorrow();
      await world.run();
      expect(await task()).toMatchObject({ state: 'held', reason: 'orphaned' });
      await release();
      expect(await evidence()).toMatchObject({ action: 'not_found', tables: {} });
      expect(await evidence()).not.toHaveProperty('recovered');
    });
  });

  describe('rows that were added since the preview', () => {
    it('are previewed and erased again in the same attempt', async () => {
      request = await world.erasureOf([JANE]);
      await world.dieBefore('erase');
      await database.query('INSERT INTO orders VALUES (13, 1)');
      await world.run();
      expect(await evidence()).toMatchObject({ tables: { orders: { rows: 3 } } });
      expect(await idsOf('orders')).toEqual([21]);
    });

    it('are held if an operator had released a number', async () => {
      world.configure([ORDERS, PEOPLE], { mode: 'preview' });
      request = await world.erasureOf([JANE]);
      await world.run();
      await world.under.operator.release((await task()).taskNo, BY);
      world.clock.now = BY.now;
      await database.query('INSERT INTO orders VALUES (13, 1)');
      await world.run();
      expect(await task()).toMatchObject({
        state: 'held',
        reason: 'more_than_previewed',
        previewedRows: 4,
      });
      expect(await idsOf('orders')).toEqual([11, 12, 13, 21]);
    });
  });

  it('an orphaned row holds the task, where an attempt has failed since it was found', async () => {
    request = await world.erasureOf([JANE]);
    await world.runWith({
      async erase(subjects, { decide, record }) {
        const found = (...all: Parameters<typeof decide>) => decide(...all).slice(1);
        await world.connectorOf().erase(subjects, { decide: found, record });
        return subjects.map(() => ({ outcome: 'failed', code: 'sql_1', detail: 'refused' }));
      },
    });
    expect(await task()).toMatchObject({ state: 'failed', reason: 'sql_1' });
    world.clock.now += 60_000;
    await database.query('DELETE FROM people WHERE id = 1');
    await world.run();
    expect(await task()).toMatchObject({ state: 'held', reason: 'orphaned', reported: null });
    expect(await idsOf('orders')).toEqual([11, 12, 21]);
  });

  it('fewer rows than were released hold the task once more, where no foreign key keeps their parent', async () => {
    world.configure([ORDERS, PEOPLE], { mode: 'preview' });
    request = await world.erasureOf([JANE]);
    await world.run();
    expect(await task()).toMatchObject({ reason: 'preview_mode', previewedRows: 3 });
    await database.query('DELETE FROM people WHERE id = 1');
    await release();
    expect(await task()).toMatchObject({
      state: 'held',
      reason: 'orphaned',
      detail: expect.stringContaining('2 rows of orders matched before, and 0 match now'),
    });
    await database.query('DELETE FROM orders WHERE person = 1');
    await release();
    expect(await evidence()).toMatchObject({ action: 'not_found' });
  });

  it('tables without an identity are in the evidence if they may be skipped', async () => {
    await database.query('CREATE TABLE tickets (id INTEGER PRIMARY KEY, customer VARCHAR(40))');
    const match = { controller_customer_id: 'customer' };
    const tickets = aTable('tickets', { match, whenUnmatched: 'skip' });
    world.configure([ORDERS, PEOPLE, tickets]);
    request = await world.erasureOf([JANE]);
    await world.run();
    expect(await evidence()).toMatchObject({ action: 'erased', skipped_tables: ['tickets'] });
  });

  it('shared rows that are kept are in the evidence', async () => {
    await database.query('CREATE TABLE chats (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)');
    await database.query('INSERT INTO chats VALUES (31, 1, 2), (32, 1, 1)');
    const ways = [via('people', { a: 'id' }), via('people', { b: 'id' })];
    world.configure([aTable('chats', { via: ways, shared: 'keep' }), ORDERS, PEOPLE]);
    request = await world.erasureOf([JANE]);
    await world.run();
    expect(await evidence()).toMatchObject({ tables: { chats: { rows: 1, shared_kept: 1 } } });
    expect(await idsOf('chats')).toEqual([31]);
  });
});
