// SQLite stores any value in a column of any type: a text in a column of numbers refers like any other text.
import { describe, expect } from 'vitest';
import { itOn, tables, withTarget } from '../misled-target.ts';

const KIND = 'SQLite';

describe.each([
  ['INT', 'TEXT', "'a-17'"],
  ['TEXT', 'INT', "'a-17'"],
  ['NUMERIC', 'NUMERIC', "'a-17'"],
  ['DECIMAL(10, 0)', 'INTEGER', "'a-17'"],
  ['INT', 'TEXT', "x'3137'"],
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
      [
        'controllers: [acme]',
        tables(
          '{ table: orders, via: { people: { person: id } } }',
          '{ table: people, match: { email: email } }',
        ),
      ],
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
