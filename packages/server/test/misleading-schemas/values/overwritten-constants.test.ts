// Numbers and truth values as what a column is overwritten with: written, compared and looked for as one text.
import { describe, expect } from 'vitest';
import { describeOnEach, itOn, itOnMysql, tables, withTarget } from '../misled-target.ts';

const overwrite = (columns: string) => [
  'tenancy: none',
  tables(`{ table: u, match: { email: email }, action: { overwrite: { ${columns} } } }`),
];

describeOnEach('a constant on %s', (kind) => {
  for (const [what, before, value, after] of [
    ['0 in place of a name', 'Jane', '0', '0'],
    ['1 in place of a text that begins with it', '1 Main Street', '1', '1'],
    ['a broken number', '1.5x', '1.5', '1.5'],
    ['false in place of a name', 'Jane', 'false', 'false'],
    ['true in place of a number', '1', 'true', 'true'],
  ] as const)
    itOn(kind)(`${what} is written into a column of texts as its text`, () =>
      withTarget(
        kind,
        `CREATE TABLE u (id INTEGER PRIMARY KEY, email VARCHAR(50), name VARCHAR(50));
         INSERT INTO u VALUES (1, 'jane@x.org', '${before}'), (2, 'bob@x.org', '${before}')`,
        overwrite(`name: ${value}`),
        async (shop) => {
          expect(await shop.problems()).toEqual([]);
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.evidenceOf(request)).toMatchObject({ tables: { u: { rows: 1 } } });
          expect(await shop.query('SELECT name FROM u ORDER BY id')).toEqual([
            { name: after },
            { name: before },
          ]);
          const again = await shop.request();
          await shop.run();
          expect(await shop.statusOf(again)).toBe('completed');
          expect(await shop.evidenceOf(again)).not.toMatchObject({ tables: { u: { rows: 1 } } });
        },
      ),
    );

  itOn(kind)('is a whole number to the last digit', () =>
    withTarget(
      kind,
      `CREATE TABLE u (id INTEGER PRIMARY KEY, email VARCHAR(50), phone BIGINT);
       INSERT INTO u VALUES (1, 'jane@x.org', 9007199254740993)`,
      overwrite('phone: 9007199254740992'),
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('u WHERE phone = 9007199254740992')).toBe(1);
      },
    ),
  );
});

describe('a number in a column without a type (SQLite)', () => {
  itOn('SQLite')('stays a whole one', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE u (id INTEGER PRIMARY KEY, email TEXT, x);
       INSERT INTO u VALUES (1, 'jane@x.org', '0')`,
      overwrite('x: 0'),
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count("u WHERE typeof(x) = 'integer'")).toBe(1);
      },
    ),
  );
});

describe('a text that the character set of the column lacks (MariaDB)', () => {
  for (const [set, value] of [
    ['utf8mb3', '"🗑"'],
    ['latin1', '"я"'],
    ['ascii', '{ unique: "é{random}" }'],
    ['cp1251', '"é"'],
    ['ucs2', '"🗑"'],
    ['utf8mb3', '{ json: { "$.a": "🗑" } }'],
  ] as const)
    itOn('MariaDB')(`is refused by the check: ${value} in ${set}`, () =>
      withTarget(
        'MariaDB',
        `CREATE TABLE u (id INT PRIMARY KEY, email VARCHAR(50), name TEXT CHARACTER SET ${set})`,
        overwrite(`name: ${value}`),
        async (shop) => {
          expect(await shop.problems()).toEqual([
            expect.stringContaining(`is in ${set}, which lacks a character`),
          ]);
        },
      ),
    );

  itOn('MariaDB')('is none where it has them all', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE u (id INT PRIMARY KEY, email VARCHAR(50), name TEXT CHARACTER SET latin1)`,
      overwrite('name: "é – €"'),
      async (shop) => expect(await shop.problems()).toEqual([]),
    ),
  );
});

describeOnEach('on %s, a row that has the new values already', (kind) => {
  itOn(kind)('is told as erased before, not as found nowhere', () =>
    withTarget(
      kind,
      `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60), phone VARCHAR(20));
       INSERT INTO users VALUES (1, 'jane@x.org', NULL)`,
      [
        'tenancy: none',
        tables('{ table: users, match: { email: email }, action: { overwrite: { phone: null } } }'),
      ],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.evidenceOf(request)).toMatchObject({
          action: 'already_erased',
          tables: {},
        });
      },
    ),
  );
});

describe('a constant that a CHECK constraint of MySQL does not allow', () => {
  for (const [state, problems] of [
    ['ENFORCED', [expect.stringContaining('would break the CHECK constraint known')]],
    ['NOT ENFORCED', []],
  ] as const)
    itOnMysql(`where the constraint is ${state}`, () =>
      withTarget(
        'MariaDB',
        `CREATE TABLE u (id INTEGER PRIMARY KEY, email VARCHAR(50), name VARCHAR(50),
           CONSTRAINT known CHECK (name IN ('a', 'b')) ${state})`,
        overwrite('name: erased'),
        async (shop) => expect(await shop.problems()).toEqual(problems),
      ),
    );
});
