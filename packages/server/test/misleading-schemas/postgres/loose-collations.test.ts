// A collation that takes different texts for equal (not deterministic) on one side of a reference: PostgreSQL compares
// with a text of the default collation by that one.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const KIND = 'PostgreSQL';
const LOOSE = `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);`;

describe.each([
  ['text COLLATE loose', 'text', 'ABC'],
  ['text COLLATE loose', 'varchar(20)', 'ábc'],
  ['text COLLATE loose', 'char(8)', 'ábc'],
  ['text', 'text COLLATE loose', 'ÁBC'],
])('a code of type %s, and references of type %s', (parent, child, spelt) => {
  itOn(KIND)(`are held if the database takes them for equal (${spelt})`, () =>
    withTarget(
      KIND,
      `${LOOSE}
      CREATE TABLE people (id INTEGER PRIMARY KEY, code ${parent} UNIQUE, email VARCHAR(60));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, code ${child});
      INSERT INTO people VALUES (1, 'abc', 'jane@x.org'), (2, 'zed', 'bob@x.org');
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
        await shop.query("UPDATE orders SET code = 'abc' WHERE id = 1");
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect([await shop.count('people'), await shop.count('orders')]).toEqual([1, 1]);
      },
    ),
  );
});

describe('a household to which members refer by a code of another collation', () => {
  itOn(KIND)('is not deleted while the database takes another one for its member', () =>
    withTarget(
      KIND,
      `${LOOSE}
      CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(60), house text);
      CREATE TABLE houses (code text COLLATE loose PRIMARY KEY);
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
