// An attempt that began to erase is settled by its own plan: by the columns that its keys were of.
import { beforeEach, describe, expect, it } from 'vitest';
import type { EraseOrder } from '../../../../src/domain/target/connector.ts';
import { aTable, toOrder } from '../sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });

await onEverySqlDatabase('settling', ({ query, open, ids }) => {
  beforeEach(() =>
    query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, no INTEGER NOT NULL UNIQUE, email VARCHAR(200));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
      INSERT INTO people VALUES (1, 2, '${JANE}'), (2, 1, '${JOE}');
      INSERT INTO orders VALUES (11, 1), (12, 1)`),
  );

  async function settle(connector: ReturnType<typeof open>, order: EraseOrder) {
    const [settlement] = (await connector.settle?.([order])) ?? [];
    return settlement;
  }

  it('returns which rows of the intent still exist, and which are gone', async () => {
    const connector = open([ORDERS, PEOPLE]);
    const order = toOrder(jane(), await previewOf(connector));
    expect(await settle(connector, order)).toMatchObject({ outcome: 'settled', gone: {} });
    await query('DELETE FROM orders WHERE id = 11');
    const settlement = await settle(connector, order);
    expect(settlement).toMatchObject({ outcome: 'settled', gone: { orders: [expect.anything()] } });
    expect(settlement).toHaveProperty('there.orders.length', 1);
    expect(settlement).toHaveProperty('there.people.length', 1);
  });

  describe('with another key: than the intent was recorded by', () => {
    const BY_NO = { ...PEOPLE, key: ['no'] };

    it('asks by the columns of the intent', async () => {
      const order = toOrder(jane(), await previewOf(open([PEOPLE])));
      await query('DELETE FROM people WHERE id = 1');
      // By the new key, the value 1 is Joe's.
      expect(await settle(open([BY_NO]), order)).toEqual({
        outcome: 'settled',
        there: {},
        tied: {},
        gone: { people: [expect.anything()] },
        // Of the key of now nothing is known: the row is gone.
        renamed: { people: [expect.arrayContaining([null])] },
      });
    });

    it('never reads the keys of the intent as values of another column', async () => {
      const order = toOrder(jane(), await previewOf(open([PEOPLE])));
      expect(await open([BY_NO]).erase([order])).toEqual([{ outcome: 'grown' }]);
      expect(await ids('people')).toEqual([1, 2]);
    });

    it('does not mistake the row that has such a value now for the former one', async () => {
      const order = toOrder(jane(), await previewOf(open([PEOPLE])));
      await query('DELETE FROM people WHERE id = 1');
      const connector = open([BY_NO]);
      expect(await connector.erase([order])).toEqual([{ outcome: 'grown' }]);
      expect(await connector.verify([order])).toMatchObject([
        { outcome: 'failed', code: 'plan_changed' },
      ]);
      expect(await ids('people')).toEqual([2]);
    });
  });

  it('checks tables that are no longer declared', async () => {
    const order = toOrder(jane(), await previewOf(open([ORDERS, PEOPLE])));
    await query('DELETE FROM orders WHERE id = 12');
    const settlement = await settle(open([PEOPLE]), order);
    expect(settlement).toMatchObject({ outcome: 'settled', gone: { orders: [expect.anything()] } });
    expect(settlement).toHaveProperty('there.orders.length', 1);
  });

  it('is left to an operator if the table, or a column of its key, no longer exists', async () => {
    const order = toOrder(jane(), await previewOf(open([ORDERS, PEOPLE])));
    await query('DROP TABLE orders');
    expect(await settle(open([PEOPLE]), order)).toMatchObject({
      outcome: 'held',
      reason: 'unsettled',
      detail: expect.stringContaining('orders'),
    });
  });

  it('treats a row that was overwritten as erased', async () => {
    const action = { kind: 'overwrite', columns: { email: { kind: 'null' } } } as const;
    const connector = open([{ ...PEOPLE, action }]);
    const order = toOrder(jane(), await previewOf(connector));
    expect(await settle(connector, order)).toMatchObject({ gone: {} });
    await connector.erase([order]);
    expect(await settle(connector, order)).toEqual({
      outcome: 'settled',
      there: {},
      tied: {},
      gone: { people: [expect.anything()] },
    });
  });
});
