// Rows that the database would delete with a row stay with it if it is kept for somebody else, whoever's they are.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const PLAN = [
  'tenant_column: account',
  'cascades: [notes]',
  tables(
    '{ table: items, via: { orders: { group_no: item_no } }, shared: keep }',
    '{ table: orders, via: { people: { people_id: id } } }',
    '{ table: people, match: { email: email } }',
  ),
];

describeOnEach('a note of another tenant on %s', (kind) => {
  itOn(kind)('does not hold a request that keeps what the note refers to', () =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, account VARCHAR(20), email VARCHAR(60));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, people_id INTEGER NOT NULL, item_no INTEGER);
      CREATE TABLE items (group_no INTEGER PRIMARY KEY);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, account VARCHAR(20), item_no INTEGER,
        FOREIGN KEY (item_no) REFERENCES items (group_no) ON DELETE CASCADE);
      INSERT INTO people VALUES (1, 'acme', 'jane@x.org'), (2, 'acme', 'joe@x.org');
      INSERT INTO orders VALUES (1, 1, 9), (2, 2, 9);
      INSERT INTO items VALUES (9);
      INSERT INTO notes VALUES (1, 'globex', 9)`,
      PLAN,
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        await shop.request();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect([await shop.count('people'), await shop.count('orders')]).toEqual([1, 1]);
        expect([await shop.count('items'), await shop.count('notes')]).toEqual([1, 1]);
      },
    ),
  );
});
