// Values in columns of numbers that are none, or that have no exact text.
import { describe, expect } from 'vitest';
import { held, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const PLAN = [
  'controllers: [acme]',
  tables(
    '{ table: orders, via: { people: { person: code } } }',
    '{ table: people, match: { email: email } }',
  ),
];

const schema = (parent: string, child: string, codes: readonly string[], persons: string) => `
  CREATE TABLE people (id INTEGER PRIMARY KEY, code ${parent} UNIQUE, email VARCHAR(80));
  CREATE TABLE orders (no INTEGER PRIMARY KEY, person ${child});
  INSERT INTO people VALUES (0, '77', 'bob@x.org'), ${codes.map((code, at) => `(${at + 1}, ${code}, 'jane@x.org')`).join(', ')};
  INSERT INTO orders VALUES ${persons}`;

describe.each([
  ['numeric', 'numeric', "(1, 'NaN'), (2, 'Infinity'), (3, '-Infinity'), (4, 77)", [3, 4]],
  ['numeric(10, 2)', 'numeric(10, 2)', "(1, 'NaN'), (4, 77)", [4]],
  ['numeric', 'text', "(1, 'NaN'), (2, 'Infinity'), (3, 'nano'), (4, '77')", [3, 4]],
  ['text', 'numeric', "(1, 'NaN'), (2, 'Infinity'), (3, '-Infinity'), (4, 77)", [3, 4]],
  ['numeric', 'bigint', '(4, 77)', [4]],
] as const)('a reference from %s to %s on PostgreSQL', (parent, child, persons, left) => {
  itOn('PostgreSQL')('is followed by what is no number', () =>
    withTarget(
      'PostgreSQL',
      schema(
        parent,
        child,
        parent.includes(',') ? ["'NaN'"] : ["'NaN'", "'Infinity'", "'5'"],
        persons,
      ),
      PLAN,
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        const rows = await shop.query('SELECT no FROM orders ORDER BY no');
        expect(rows.map(({ no }) => no)).toEqual(left);
      },
    ),
  );
});

const LARGE = '12345678901234567890123';

describe.each<[Kind, string, string, string, string]>([
  ['PostgreSQL', 'numeric', 'text', "'NaN'", "'nan'"],
  ['PostgreSQL', 'numeric', 'text', "'Infinity'", "' +inf '"],
  // A text in a column of numbers, compared by the collation of the other side.
  ['SQLite', 'INT', 'TEXT COLLATE NOCASE', "'a-17'", "'A-17'"],
  ['SQLite', 'TEXT COLLATE NOCASE', 'INT', "'A-17'", "'a-17'"],
  ['SQLite', 'INT', 'TEXT COLLATE RTRIM', "'a-17'", "'a-17  '"],
  // Too large for an integer, so it is stored as the floating-point number next to it.
  ['SQLite', 'TEXT', 'DECIMAL(30, 0)', `'${LARGE}'`, LARGE],
])('on %s, a reference from %s to %s', (kind, parent, child, code, person) => {
  itOn(kind)(`is held where ${code} is written as ${person}`, () =>
    withTarget(kind, schema(parent, child, [code], `(1, ${person})`), PLAN, async (shop) => {
      await shop.request();
      expect(await shop.run()).toMatchObject(held('ambiguous_reference'));
      expect([await shop.count('people'), await shop.count('orders')]).toEqual([2, 1]);
    }),
  );
});

describe.each([
  ['INT', 'TEXT COLLATE NOCASE', "'A-17'", "(1, 'A-17'), (2, 'B-17'), (3, '17')"],
  ['TEXT', 'NUMERIC', "'0.1'", '(1, 0.1), (2, 0.2), (3, 17)'],
])('on SQLite, a reference from %s to %s', (parent, child, code, persons) => {
  itOn('SQLite')(`is followed where ${code} is written alike`, () =>
    withTarget('SQLite', schema(parent, child, [code], persons), PLAN, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT no FROM orders ORDER BY no')).toEqual([{ no: 2 }, { no: 3 }]);
    }),
  );
});

describe.each<[Kind, string, string]>([
  ['PostgreSQL', 'interval', '1 day'],
  ['PostgreSQL', 'timestamptz', '2026-01-01 00:00:00+00'],
  ['PostgreSQL', 'macaddr', '08:00:2b:01:02:03'],
  ['PostgreSQL', 'int4range', '[1,4)'],
  ['PostgreSQL', 'text[]', '{a}'],
  ['MariaDB', 'datetime', '2026-01-01 00:00:00'],
])('on %s, a tenant column of type %s', (kind, type, value) => {
  itOn(kind)('is refused, because one value has several spellings', () =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, tenant ${type}, email VARCHAR(80));
      INSERT INTO people VALUES (1, '${value}', 'jane@x.org')`,
      [
        'tenant_column: tenant',
        `tenants: { acme: '${value}' }`,
        tables('{ table: people, match: { email: email } }'),
      ],
      async (shop) =>
        expect(await shop.problems()).toEqual([
          expect.stringContaining('several spellings for one value'),
        ]),
    ),
  );
});

describe('a tenant column of an enumeration', () => {
  itOn('PostgreSQL')('is taken, whatever it is called', () =>
    withTarget(
      'PostgreSQL',
      `CREATE TYPE date_of AS ENUM ('acme', 'globex');
      CREATE TABLE people (id INTEGER PRIMARY KEY, tenant date_of, email TEXT);
      INSERT INTO people VALUES (1, 'acme', 'jane@x.org'), (2, 'globex', 'jane@x.org')`,
      ['tenant_column: tenant', tables('{ table: people, match: { email: email } }')],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        await shop.request();
        await shop.run();
        expect(await shop.query('SELECT id FROM people')).toEqual([{ id: 2 }]);
      },
    ),
  );
});

describe.each([
  ['9e999', 'REAL', 'REAL REFERENCES people (code)'],
  ['-9e999', 'REAL', 'REAL REFERENCES people (code)'],
  ['9e999', 'NUMERIC', 'NUMERIC'],
  ['-9e999', 'NUMERIC', 'NUMERIC'],
])('on SQLite, rows with %s in a key of %s, and %s', (infinity, parent, child) => {
  const INFINITE = `
    CREATE TABLE people (code ${parent} PRIMARY KEY, email TEXT);
    CREATE TABLE orders (no INTEGER PRIMARY KEY, person ${child});
    INSERT INTO people VALUES (${infinity}, 'jane@x.org'), (-(${infinity}), 'bob@x.org'), (0, 'eve@x.org');
    INSERT INTO orders VALUES (1, ${infinity}), (2, -(${infinity})), (3, 0), (4, NULL)`;
  const rest = [{ no: 2 }, { no: 3 }, { no: 4 }];

  itOn('SQLite')('are erased', () =>
    withTarget('SQLite', INFINITE, PLAN, async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('people')).toBe(2);
      expect(await shop.query('SELECT no FROM orders ORDER BY no')).toEqual(rest);
    }),
  );

  itOn('SQLite')('lead to others when they are retained', () =>
    withTarget(
      'SQLite',
      INFINITE,
      [
        'controllers: [acme]',
        tables(
          '{ table: orders, via: { people: { person: code } } }',
          '{ table: people, match: { email: email }, action: { retain: law } }',
        ),
      ],
      async (shop) => {
        await shop.request();
        await shop.run();
        expect(await shop.query('SELECT no FROM orders ORDER BY no')).toEqual(rest);
      },
    ),
  );
});
