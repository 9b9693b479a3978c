// SQLite stores any value in a column of any type: a text in a column of numbers refers like any other text.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const KIND = 'SQLite';
const PLAN = [
  'controllers: [acme]',
  tables(
    '{ table: orders, via: { people: { person: id } } }',
    '{ table: people, match: { email: email } }',
  ),
];

describe.each([
  ['INT', 'TEXT', "'a-17'"],
  ['TEXT', 'INT', "'a-17'"],
  ['NUMERIC', 'NUMERIC', "'a-17'"],
  ['DECIMAL(10, 0)', 'INTEGER', "'a-17'"],
  ['INT', 'TEXT', "x'3137'"],
  // STRING is no type that SQLite knows: 7 becomes a number, and the other texts stay texts.
  ['STRING', 'TEXT', "'7'"],
  ['TEXT', 'STRING', "'7'"],
  ['UUID', 'TEXT', "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"],
  // Stored as floating-point numbers, right above the largest integer.
  ['NUMERIC', 'NUMERIC', '9223372036854775808'],
])('a reference from %s to %s', (parent, child, value) => {
  itOn(KIND)(`is followed by ${value}`, () =>
    withTarget(
      KIND,
      `CREATE TABLE people (id ${parent} PRIMARY KEY NOT NULL, email TEXT);
      CREATE TABLE orders (no INTEGER PRIMARY KEY, person ${child});
      INSERT INTO people VALUES (${value}, 'jane@x.org'), ('b', 'bob@x.org'), (0, 'zoe@x.org');
      INSERT INTO orders VALUES (1, ${value}), (2, 'b'), (3, 0), (4, 'A-17'), (5, 17)`,
      PLAN,
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT no FROM orders ORDER BY no')).toEqual(
          [2, 3, 4, 5].map((no) => ({ no })),
        );
      },
    ),
  );
});

describe('a text that SQLite has made a number of', () => {
  itOn(KIND)('is held where a reference to it is written as it was', () =>
    withTarget(
      KIND,
      `CREATE TABLE people (id STRING PRIMARY KEY NOT NULL, email TEXT);
      CREATE TABLE orders (no INTEGER PRIMARY KEY, person TEXT);
      INSERT INTO people VALUES ('007', 'jane@x.org'), ('8', 'bob@x.org');
      INSERT INTO orders VALUES (1, '007'), (2, '8')`,
      PLAN,
      async (shop) => {
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
        await shop.query("UPDATE orders SET person = '7' WHERE no = 1");
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect([await shop.count('people'), await shop.count('orders')]).toEqual([1, 1]);
      },
    ),
  );
});
