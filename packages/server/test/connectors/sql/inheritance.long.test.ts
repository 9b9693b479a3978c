// PostgreSQL: tables that others inherit from hold the rows of these too, and a key may be there in each.
import { expect, it } from 'vitest';
import type { TableConfig } from '../../../src/domain/target/target.ts';
import { aTable, passThrough } from './sql-target.ts';
import {
  eraseWhole,
  JANE,
  JOE,
  jane,
  onEverySqlDatabase,
  previewOf,
  via,
} from './use-sql-target.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });

await onEverySqlDatabase(
  'inheritance',
  ({ query, open }) => {
    const fill = (reference = '') =>
      query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE staff (room INTEGER, PRIMARY KEY (id)) INHERITS (people);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER ${reference});
        INSERT INTO people VALUES (1, '${JANE}'), (2, '${JOE}'), (3, '${JOE}');
        INSERT INTO staff VALUES (1, '${JOE}', 7), (2, '${JANE}', 8), (4, '${JANE}', 9);
        INSERT INTO orders VALUES (11, 1), (12, 2), (13, 3)`);
    const left = async () =>
      (await query('SELECT tableoid::regclass::text AS t, id FROM people ORDER BY t, id')).map(
        ({ t, id }) => `${t} ${id}`,
      );
    const orders = async () =>
      (await query('SELECT id FROM orders ORDER BY id')).map(({ id }) => id);

    it('erases the person’s rows of the whole family, and no other with the same key', async () => {
      await fill();
      await eraseWhole(open([PEOPLE]));
      expect(await left()).toEqual(['people 2', 'people 3', 'staff 1']);
    });

    it('overwrites them too', async () => {
      await fill();
      const action: TableConfig['action'] = {
        kind: 'overwrite',
        columns: { email: { kind: 'null' } },
      };
      await eraseWhole(open([{ ...PEOPLE, action }]));
      const rows = await query('SELECT id FROM people WHERE email IS NULL');
      expect(rows).toHaveLength(3);
    });

    it('treats a foreign key as a reference to rows of that table only, not of tables that inherit from it', async () => {
      await fill('REFERENCES people (id)');
      await eraseWhole(open([ORDERS, PEOPLE]));
      expect(await orders()).toEqual([12, 13]);
      expect(await left()).toEqual(['people 2', 'people 3', 'staff 1']);
    });

    it('leaves what was given to somebody else whose key an heir has too', async () => {
      await fill('REFERENCES people (id)');
      const { erasures } = await passThrough(open([ORDERS, PEOPLE]), [jane()], async () => {
        await query('UPDATE orders SET person = 2 WHERE id = 11');
      });
      expect(erasures).toMatchObject([{ outcome: 'erased', left: { orders: 1 } }]);
      expect(await orders()).toEqual([11, 12, 13]);
    });

    it('holds a reference to a key that exists twice, with a way out that works', async () => {
      await fill();
      expect(await previewOf(open([ORDERS, PEOPLE]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
      });
      await eraseWhole(open([{ ...ORDERS, shared: 'keep' }, PEOPLE]));
      expect(await orders()).toEqual([11, 12, 13]);
    });

    it('treats a foreign key to an heir as one to rows of the heir', async () => {
      await fill();
      await query(`
        ALTER TABLE orders ADD FOREIGN KEY (person) REFERENCES staff (id) NOT VALID;
        DELETE FROM orders WHERE id = 13`);
      await eraseWhole(open([ORDERS, PEOPLE]));
      expect(await orders()).toEqual([11]);
    });

    it('refuses a key that is unique in one table only, with one that works', async () => {
      await fill();
      const problems = (await open([{ ...PEOPLE, key: ['id'] }]).check()).filter(
        ({ level }) => level === 'problem',
      );
      expect(problems).toMatchObject([
        { message: expect.stringMatching(/leave "key" out.* or write key: \[tableoid, id\]/) },
      ]);
      await eraseWhole(open([{ ...PEOPLE, key: ['tableoid', 'id'] }]));
      expect(await left()).toEqual(['people 2', 'people 3', 'staff 1']);
    });
  },
  ['postgres'],
);
