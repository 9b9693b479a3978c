// A reference of several columns, of which one ignores case and another is a number on one side and a text on the other.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const PLAN = [
  'controllers: [acme]',
  tables(
    '{ table: orders, via: { people: { code: code, line: line } } }',
    '{ table: people, match: { email: email } }',
  ),
];

describe.each([
  ['SQLite', 'VARCHAR(60) COLLATE NOCASE', ''],
  ['PostgreSQL', 'citext', 'CREATE EXTENSION IF NOT EXISTS citext;'],
  ['MariaDB', 'VARCHAR(60) COLLATE utf8mb4_general_ci', ''],
] as const)('a reference by a code and a number on %s', (kind, type, before) => {
  const schema = (orders: string) => `${before}
    CREATE TABLE people (id INTEGER PRIMARY KEY, code ${type} NOT NULL, line INTEGER NOT NULL, email VARCHAR(60));
    CREATE UNIQUE INDEX people_code ON people (code, line);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, code ${type}, line VARCHAR(20));
    INSERT INTO people VALUES (1, 'a', 1, 'jane@x.org'), (2, 'b', 2, 'jane@x.org'), (3, 'a', 2, 'joe@x.org');
    INSERT INTO orders VALUES ${orders}`;

  itOn(kind)('is held if the code is spelt differently', () =>
    withTarget(kind, schema("(1, 'a', '1'), (2, 'B', '2')"), PLAN, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      await shop.request();
      expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
      expect([await shop.count('people'), await shop.count('orders')]).toEqual([3, 2]);
    }),
  );

  itOn(kind)('is no reference if the text is no number, however it begins', () =>
    withTarget(kind, schema("(1, 'a', '1'), (2, 'a', '1x')"), PLAN, async (shop) => {
      await shop.request();
      // MariaDB takes it for equal.
      const isHeld = kind === 'MariaDB';
      const outcome = isHeld ? 'held' : 'erased';
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome }] });
      expect(await shop.count('orders')).toBe(isHeld ? 2 : 1);
    }),
  );

  itOn(kind)('is no reference if each value is of another row', () =>
    withTarget(kind, schema("(1, 'a', '1'), (2, 'b', '2'), (3, 'A', '2')"), PLAN, async (shop) => {
      await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect([await shop.count('people'), await shop.count('orders')]).toEqual([1, 1]);
    }),
  );
});
