// A row that `shared` would keep or erase, and to which a row of another tenant refers.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const LATER =
  '{ table: orders, where: { n: 0 }, via: { people: [{ people_n: n }, { people_id: id }] }, action: { retain: the law }, shared: keep }';

describeOnEach('on %s, a shared row of another tenant', (kind) => {
  itOn(kind).for([
    ['keep', 'retain'],
    ['keep', 'delete'],
    ['erase', 'retain'],
    ['erase', 'delete'],
  ] as const)(
    'is held although an entry that "via" does not name has it (%s, %s)',
    ([shared, action]) =>
      withTarget(
        kind,
        `CREATE TABLE people (id INTEGER PRIMARY KEY, account VARCHAR(20), n INTEGER, email VARCHAR(60));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, n INTEGER, people_n INTEGER, people_id INTEGER, items_no INTEGER);
      CREATE TABLE items (group_no INTEGER PRIMARY KEY);
      INSERT INTO people VALUES (3, 'globex', 1, 'jane@x.org'), (5, 'acme', 2, 'jane@x.org');
      INSERT INTO orders VALUES (3, 1, 2, 5, 8), (4, 0, 1, NULL, 8);
      INSERT INTO items VALUES (8)`,
        [
          'tenant_column: account',
          tables(
            `{ table: items, via: { "orders (n: 1, 2)": { group_no: items_no } }, shared: ${shared} }`,
            '{ table: orders, where: { n: [1, 2] }, via: { people: [{ people_n: n }, { people_id: id }] }, shared: keep }',
            action === 'retain' ? LATER : LATER.replace('action: { retain: the law }, ', ''),
            '{ table: people, match: { email: email } }',
          ),
        ],
        async (shop) => {
          expect(await shop.problems()).toEqual([]);
          await shop.request();
          expect(await shop.run()).toMatchObject({
            outcomes: [{ outcome: 'held', reason: 'tenant_mismatch' }],
          });
          expect(await shop.count('people')).toBe(2);
          expect(await shop.count('items')).toBe(1);
        },
      ),
  );
});
