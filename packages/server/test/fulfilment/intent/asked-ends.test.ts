// A worker dies around the commit at a SQL target: the next one asks the database how the transaction ended.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqliteTransactions } from '../../../src/connectors/sqlite/sqlite-transactions.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { Connector } from '../../../src/domain/target/connector.ts';
import { SQL_DATABASES, type SqlTestDatabase } from '../../connectors/sql/sql-databases.ts';
import { aTable } from '../../connectors/sql/sql-target.ts';
import { JANE, via } from '../../connectors/sql/use-sql-target.ts';
import { DAY } from '../../contract/fulfilment/under-test.ts';
import { openSqlBatchWorld, type SqlBatchWorld } from '../sql-batch-world.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });
const FILL = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
  INSERT INTO people VALUES (1, '${JANE}'), (2, 'joe@example.com');
  INSERT INTO orders VALUES (11, 1), (12, 1), (21, 2)`;

describe('an attempt whose worker died', () => {
  let database: SqlTestDatabase;
  let world: SqlBatchWorld;
  let request: NewRequest;
  beforeEach(async () => {
    const sqlite = SQL_DATABASES.find(({ connector }) => connector === 'sqlite');
    if (sqlite === undefined) throw new Error('there is no SQLite');
    database = await sqlite.open();
    await database.query(FILL);
    for (const sql of sqliteTransactions.table?.create ?? []) await database.query(sql);
    world = await openSqlBatchWorld(database, [ORDERS, PEOPLE]);
    request = await world.erasureOf([JANE]);
  });
  afterEach(async () => {
    await world.close();
    await database.close();
  });

  const evidence = () => world.evidenceOf(request, 'shop');
  const task = () => world.scene.task(request, 'shop');

  /** The worker dies in the erasing transaction, after it was recorded, and the transaction is rolled back. */
  async function dieRecorded(): Promise<void> {
    const dead = Promise.withResolvers<void>();
    const { erase } = world.connectorOf();
    const dying: Connector['erase'] = async (subjects, { decide, record }) => {
      const recordAndDie: typeof record = async (transaction) => {
        await record(transaction);
        throw new Error('killed');
      };
      await erase(subjects, { decide, record: recordAndDie }).catch(() => undefined);
      dead.resolve();
      return new Promise(() => undefined);
    };
    void world.runWith({ erase: dying });
    await dead.promise;
    world.clock.now += 31_000;
  }

  it('has erased what was recorded, if its transaction has committed', async () => {
    await world.dieBefore('verify');
    // Whatever happens to the rows afterwards, the answer of the database stays.
    await database.query('INSERT INTO orders VALUES (11, 2)');
    await world.run();
    expect(await evidence()).toMatchObject({
      action: 'erased',
      recovered: true,
      tables: { people: { rows: 1 }, orders: { rows: 2 } },
    });
  });

  it('has new rows of the person erased and counted with those that were recorded', async () => {
    await world.dieBefore('verify');
    await database.query(`INSERT INTO people VALUES (3, '${JANE}')`);
    await world.run();
    expect(await evidence()).toMatchObject({
      recovered: true,
      tables: { people: { rows: 2 }, orders: { rows: 2 } },
    });
  });

  it('has erased nothing, if its transaction was rolled back', async () => {
    await dieRecorded();
    await world.run();
    expect(await evidence()).toMatchObject({
      action: 'erased',
      tables: { people: { rows: 1 }, orders: { rows: 2 } },
    });
    expect(await evidence()).not.toHaveProperty('recovered');
  });

  it('has erased nothing, if it did not come to its record', async () => {
    await world.dieBefore('erase');
    await world.run();
    expect(await evidence()).toMatchObject({
      action: 'erased',
      tables: { people: { rows: 1 }, orders: { rows: 2 } },
    });
    expect(await evidence()).not.toHaveProperty('recovered');
  });

  it('may have erased up to what was recorded, if the target cannot say', async () => {
    await world.dieBefore('verify');
    await database.query(`INSERT INTO people VALUES (3, '${JANE}')`);
    await world.runWith({ endOf: async () => ['unknown'] });
    expect(await evidence()).toMatchObject({
      action: 'erased',
      tables: { people: { rows: 1, unconfirmed: 1 }, orders: { rows: 0, unconfirmed: 2 } },
    });
    expect(await evidence()).not.toHaveProperty('recovered');
  });

  it('counts each row once, however often workers die', async () => {
    await dieRecorded();
    await world.dieBefore('verify');
    await world.dieBefore('verify');
    await world.run();
    expect(await evidence()).toMatchObject({
      attempts: 4,
      tables: { people: { rows: 1 }, orders: { rows: 2 } },
    });
  });

  it('waits while its transaction is open, and is held after a day', async () => {
    await dieRecorded();
    await world.runWith({ endOf: async () => ['open'] });
    expect(await task()).toMatchObject({ state: 'failed', reason: 'transaction_open' });
    world.clock.now += DAY;
    await world.runWith({ endOf: async () => ['open'] });
    expect(await task()).toMatchObject({ state: 'held', reason: 'transaction_open' });
    expect(await world.under.store.openTransactions(lease(), [await taskNo()])).toHaveLength(1);
  });

  it('leaves no record behind when its outcome is known', async () => {
    await world.dieBefore('verify');
    expect(await world.under.store.openTransactions(lease(), [await taskNo()])).toHaveLength(1);
    await world.run();
    expect(await world.under.store.openTransactions(lease(), [await taskNo()])).toEqual([]);
  });

  const taskNo = async () => (await task()).taskNo;
  const lease = () => ({ batchNo: 1, attempt: 1, target: 'shop' });
});
