// The second look: what became of rows that were to go.
import { expect, it } from 'vitest';
import type { TableAction } from '../../../../src/domain/target/target.ts';
import { aTable, GONE, toOrder } from '../sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const PEOPLE = (action: TableAction = { kind: 'delete' }) =>
  aTable('people', { match: { email: 'email' }, action });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });

await onEverySqlDatabase('rows that were ordered', ({ query, open }) => {
  async function ordered(action?: TableAction) {
    await query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200), name VARCHAR(40));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
      INSERT INTO people VALUES (1, '${JANE}', 'Jane'), (2, '${JOE}', 'Joe');
      INSERT INTO orders VALUES (11, 1), (12, 1), (21, 2)`);
    const connector = open([ORDERS, PEOPLE(action)]);
    return { connector, order: toOrder(jane(), await previewOf(connector)) };
  }

  it('are gone, if they are somebody else’s by now', async () => {
    const { connector, order } = await ordered();
    await query('DELETE FROM orders WHERE id = 11');
    await query('UPDATE orders SET person = 2 WHERE id = 12');
    await query('DELETE FROM people WHERE id = 1');
    expect(await connector.verify([order])).toEqual([GONE]);
  });

  it('are held as orphaned, if they exist while their parent is gone', async () => {
    const { connector, order } = await ordered();
    await query('DELETE FROM people WHERE id = 1');
    expect(await connector.verify([order])).toMatchObject([
      { outcome: 'held', reason: 'orphaned', detail: expect.stringContaining('orders') },
    ]);
  });

  it('are held as orphaned, if they refer to nobody any more', async () => {
    const { connector, order } = await ordered({ kind: 'retain', reason: 'tax law' });
    await query('DELETE FROM orders WHERE id = 11');
    await query('UPDATE orders SET person = NULL WHERE id = 12');
    expect(await connector.verify([order])).toMatchObject([{ reason: 'orphaned' }]);
  });

  it('remain, if they are the person’s', async () => {
    const { connector, order } = await ordered();
    expect(await connector.verify([order])).toEqual([
      { outcome: 'remains', counts: { people: 1, orders: 2 } },
    ]);
  });

  it('are gone, if their keys belong to other rows by now', async () => {
    const { connector, order } = await ordered();
    await query('DELETE FROM orders WHERE person = 1');
    await query('DELETE FROM people WHERE id = 1');
    await query(`INSERT INTO people VALUES (1, 'new@example.com', 'New')`);
    await query('INSERT INTO orders VALUES (11, 1)');
    expect(await connector.verify([order])).toEqual([GONE]);
  });
});
