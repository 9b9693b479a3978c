// Texts of two character sets: MariaDB converts the narrower one, and compares by the collation of the wider one.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const KIND = 'MariaDB';
const WIDE = 'VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci';

describe.each([
  ['ascii COLLATE ascii_bin', 'ABC'],
  ['ascii COLLATE ascii_general_ci', 'abc'],
  ['latin1 COLLATE latin1_bin', 'ÁBC'],
  ['utf8mb3 COLLATE utf8mb3_bin', 'ABC'],
])('codes in %s that refer to codes in utf8mb4', (set, spelt) => {
  const narrow = `VARCHAR(20) CHARACTER SET ${set}`;

  itOn(KIND)(`are held if the database takes them for equal (${spelt})`, () =>
    withTarget(
      KIND,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, code ${WIDE} UNIQUE, email VARCHAR(60));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, code ${narrow});
      INSERT INTO people VALUES (1, 'ábc', 'jane@x.org'), (2, 'zed', 'bob@x.org');
      INSERT INTO orders VALUES (1, '${spelt}'), (2, 'zed')`,
      [
        'controllers: [acme]',
        tables(
          '{ table: orders, via: { people: { code: code } } }',
          '{ table: people, match: { email: email } }',
        ),
      ],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        expect(await shop.count('orders o JOIN people p ON o.code = p.code')).toBe(2);
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
        expect(await shop.count('people')).toBe(2);
        // As the message says: written alike, it ends.
        await shop.query("UPDATE orders SET code = 'zed' WHERE id = 1");
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect([await shop.count('people'), await shop.count('orders')]).toEqual([1, 2]);
      },
    ),
  );
});

describe('a household in utf8mb4 to which members refer in ascii', () => {
  itOn(KIND)('is not deleted while the database takes another one for its member', () =>
    withTarget(
      KIND,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(60),
        house VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin);
      CREATE TABLE houses (code ${WIDE} PRIMARY KEY);
      INSERT INTO people VALUES (1, 'jane@x.org', 'a'), (2, 'bob@x.org', 'A');
      INSERT INTO houses VALUES ('a')`,
      [
        'controllers: [acme]',
        tables(
          '{ table: houses, via: { people: { code: house } } }',
          '{ table: people, match: { email: email } }',
        ),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
        expect([await shop.count('people'), await shop.count('houses')]).toEqual([2, 1]);
      },
    ),
  );
});
