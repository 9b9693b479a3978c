// Ownership is decided anew in the transaction that erases: what became of the rows of an intent.
import { expect, it } from 'vitest';
import type { TableAction } from '../../../../src/domain/target/target.ts';
import { aTable, GONE, toOrder } from '../sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const PEOPLE = (action: TableAction = { kind: 'delete' }) =>
  aTable('people', { match: { email: 'email' }, action });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });
const RETAINED: TableAction = { kind: 'retain', reason: 'tax law' };
const OVERWRITTEN: TableAction = {
  kind: 'overwrite',
  columns: { name: { kind: 'value', value: 'erased' } },
};

await onEverySqlDatabase('rows that the preview found', (target) => {
  const { query, open, ids } = target;
  const fill = () =>
    query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200), name VARCHAR(40));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
      INSERT INTO people VALUES (1, '${JANE}', 'Jane'), (2, '${JOE}', 'Joe');
      INSERT INTO orders VALUES (11, 1), (12, 1), (21, 2)`);

  async function ordered(action?: TableAction) {
    await fill();
    const connector = open([ORDERS, PEOPLE(action)]);
    return { connector, order: toOrder(jane(), await previewOf(connector)) };
  }

  it('ordered rows that are gone are reported as gone, not as erased', async () => {
    const { connector, order } = await ordered();
    await query('DELETE FROM orders WHERE id = 12');
    const [erasure] = await connector.erase([order]);
    expect(erasure).toMatchObject({ outcome: 'erased', counts: { people: 1, orders: 1 } });
    expect(erasure).toHaveProperty('gone.orders.length', 1);
    expect(erasure).not.toHaveProperty('left');
    expect(await connector.verify([order])).toEqual([GONE]);
  });

  it.each<[string, TableAction]>([
    ['deleted', { kind: 'delete' }],
    ['retained', RETAINED],
    ['overwritten', OVERWRITTEN],
  ])(
    'ordered rows that belong to somebody else by now are left, even if their parent is %s',
    async (_, action) => {
      const { connector, order } = await ordered(action);
      await query('UPDATE orders SET person = 2 WHERE id = 12');
      const [erasure] = await connector.erase([order]);
      expect(erasure).toMatchObject({
        outcome: 'erased',
        counts: { orders: 1 },
        left: { orders: 1 },
      });
      expect(erasure).not.toHaveProperty('gone');
      expect(await ids('orders')).toEqual([12, 21]);
      expect(await connector.verify([order])).toEqual([GONE]);
    },
  );

  it('add up: erased, gone and left are what was intended', async () => {
    const { connector, order } = await ordered();
    await query('UPDATE orders SET person = 2 WHERE id = 12');
    await query('DELETE FROM orders WHERE id = 11');
    expect(await connector.erase([order])).toMatchObject([
      { counts: { people: 1 }, gone: { orders: [expect.anything()] }, left: { orders: 1 } },
    ]);
  });

  it('ordered rows that still exist while their parent is gone are held as orphaned', async () => {
    const { connector, order } = await ordered();
    await query('DELETE FROM people WHERE id = 1');
    const [erasure] = await connector.erase([order]);
    expect(erasure).toMatchObject({
      outcome: 'held',
      reason: 'orphaned',
      detail: expect.stringContaining('orders'),
    });
    expect(await ids('orders')).toEqual([11, 12, 21]);
  });

  it('ordered rows that no longer refer to anybody are held as orphaned, and do not count as gone', async () => {
    const { connector, order } = await ordered();
    await query('UPDATE orders SET person = NULL WHERE id = 12');
    expect(await connector.erase([order])).toMatchObject([{ reason: 'orphaned' }]);
    expect(await connector.verify([order])).not.toEqual([GONE]);
  });

  it('ordered rows that an earlier attempt overwrote count as gone, not as left', async () => {
    await fill();
    const overwritten: TableAction = { kind: 'overwrite', columns: { email: { kind: 'null' } } };
    const connector = open([PEOPLE(overwritten)]);
    const order = toOrder(jane(), await previewOf(connector));
    expect(await connector.erase([order])).toEqual([{ outcome: 'erased', counts: { people: 1 } }]);
    const [second] = await connector.erase([order]);
    expect(second).toMatchObject({ outcome: 'erased', counts: {} });
    expect(second).toHaveProperty('gone.people.length', 1);
  });

  it('rows added since the order lead to a new preview, and nothing is changed', async () => {
    const { connector, order } = await ordered();
    await query('INSERT INTO orders VALUES (13, 1)');
    expect(await connector.erase([order])).toEqual([{ outcome: 'grown' }]);
    expect(await ids('orders')).toEqual([11, 12, 13, 21]);
    expect(await ids('people')).toEqual([1, 2]);
  });

  it('ordered rows whose key belongs to another row by now are not changed', async () => {
    const { connector, order } = await ordered();
    await query('DELETE FROM orders WHERE person = 1');
    await query('DELETE FROM people WHERE id = 1');
    await query(`INSERT INTO people VALUES (1, 'new@example.com', 'New')`);
    await query('INSERT INTO orders VALUES (11, 1)');
    expect(await connector.erase([order])).toMatchObject([
      { outcome: 'erased', counts: {}, left: { people: 1, orders: 1 } },
    ]);
    expect(await ids('people')).toEqual([1, 2]);
    expect(await ids('orders')).toEqual([11, 21]);
  });
});
