// Keys and references whose text, sent back to the database, would be another value: bytes that are no UTF-8, and
// characters that have two codes in their character set.
import { describe, expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { itOn, tables, withTarget } from '../misled-target.ts';

const USERS = '{ table: u, match: { email: email } }';
const ORDERS = '{ table: o, via: { u: { code: code } } }';

/** Each with two codes of one character: of Jane, and of Bob. */
const SETS = [
  ['cp932', 'FA4A', '8754'],
  ['cp932', '8754', 'FA4A'],
  ['armscii8', 'A4', '29'],
  ['tis620', 'A0', 'FF'],
  // No character at all.
  ['cp1251', '98', '3F'],
] as const;

describe.each(SETS)('a text of MariaDB in %s', (set, jane, bob) => {
  const type = `VARCHAR(10) CHARACTER SET ${set} COLLATE ${set}_bin`;

  itOn('MariaDB')(`that is a key: ${jane} is not ${bob}`, () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE u (id ${type} PRIMARY KEY, email VARCHAR(50));
       INSERT INTO u VALUES (_${set} x'${jane}', 'jane@x.org'), (_${set} x'${bob}', 'bob@x.org')`,
      ['tenancy: none', tables(USERS)],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT email FROM u')).toEqual([{ email: 'bob@x.org' }]);
      },
    ),
  );

  for (const [what, key] of [
    ['with a foreign key', ', FOREIGN KEY (code) REFERENCES u (code)'],
    ['without one', ''],
  ] as const)
    itOn('MariaDB')(`that is a reference, ${what}: ${jane} is not ${bob}`, () =>
      withTarget(
        'MariaDB',
        `CREATE TABLE u (id INT PRIMARY KEY, code ${type} UNIQUE, email VARCHAR(50));
         CREATE TABLE o (id INT PRIMARY KEY, code ${type}${key});
         INSERT INTO u VALUES (1, _${set} x'${jane}', 'jane@x.org'), (2, _${set} x'${bob}', 'bob@x.org');
         INSERT INTO o VALUES (1, _${set} x'${jane}'), (2, _${set} x'${bob}')`,
        ['tenancy: none', tables(ORDERS, USERS)],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.query('SELECT id FROM o')).toEqual([{ id: 2 }]);
          expect(await shop.query('SELECT id FROM u')).toEqual([{ id: 2 }]);
        },
      ),
    );
});

describe('a text of MariaDB in a character set with two codes for a character', () => {
  itOn('MariaDB')('is an identity by either', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE u (id INT PRIMARY KEY, code VARCHAR(10) CHARACTER SET cp932 COLLATE cp932_bin);
       INSERT INTO u VALUES (1, _cp932 x'FA4A'), (2, _cp932 x'8754'), (3, 'x')`,
      ['tenancy: none', tables('{ table: u, match: { controller_customer_id: code } }')],
      async (shop) => {
        const request = await shop.request([new Identity('controller_customer_id', 'Ⅰ')]);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT id FROM u')).toEqual([{ id: 3 }]);
      },
    ),
  );

  itOn('MariaDB')('is not compared with one in another character set', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE u (id INT PRIMARY KEY, code VARCHAR(10) CHARACTER SET cp932 UNIQUE, email VARCHAR(50));
       CREATE TABLE o (id INT PRIMARY KEY, code VARCHAR(10) CHARACTER SET utf8mb4)`,
      ['tenancy: none', tables(ORDERS, USERS)],
      async (shop) => {
        expect(await shop.problems()).toEqual([expect.stringContaining('varchar(10) in cp932')]);
      },
    ),
  );

  itOn('MariaDB')('is compared with one in another where the codes are one to one', () =>
    withTarget(
      'MariaDB',
      `CREATE TABLE u (id INT PRIMARY KEY, code VARCHAR(10) CHARACTER SET latin1 UNIQUE, email VARCHAR(50));
       CREATE TABLE o (id INT PRIMARY KEY, code VARCHAR(10) CHARACTER SET utf8mb4);
       INSERT INTO u VALUES (1, 'é', 'jane@x.org'); INSERT INTO o VALUES (1, 'é'), (2, 'x')`,
      ['tenancy: none', tables(ORDERS, USERS)],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT id FROM o')).toEqual([{ id: 2 }]);
      },
    ),
  );
});

describe('a text of SQLite that is no UTF-8', () => {
  const BROKEN = "CAST(x'61ff' AS TEXT)";
  const REPLACED = "'a' || char(65533)";
  for (const encoding of ['UTF-8', 'UTF-16le'] as const) {
    // A lone half of a character.
    const [jane, bob] =
      encoding === 'UTF-8' ? [BROKEN, REPLACED] : ["CAST(x'610000d8' AS TEXT)", REPLACED];

    itOn('SQLite')(`names its own row (${encoding})`, () =>
      withTarget(
        'SQLite',
        `PRAGMA encoding = '${encoding}'; CREATE TABLE u (id TEXT PRIMARY KEY, email TEXT);
         INSERT INTO u VALUES (${jane}, 'jane@x.org'), (${bob}, 'bob@x.org')`,
        ['tenancy: none', tables(USERS)],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.query('SELECT email FROM u')).toEqual([{ email: 'bob@x.org' }]);
        },
      ),
    );

    for (const collation of ['BINARY', 'NOCASE'])
      itOn('SQLite')(`is a reference to its own row (${encoding}, ${collation})`, () =>
        withTarget(
          'SQLite',
          `PRAGMA encoding = '${encoding}';
           CREATE TABLE u (id INTEGER PRIMARY KEY, code TEXT COLLATE ${collation} UNIQUE, email TEXT);
           CREATE TABLE o (id INTEGER PRIMARY KEY, code TEXT COLLATE ${collation});
           INSERT INTO u VALUES (1, ${jane}, 'jane@x.org'), (2, ${bob}, 'bob@x.org');
           INSERT INTO o VALUES (1, ${jane}), (2, ${bob})`,
          ['tenancy: none', tables(ORDERS, USERS)],
          async (shop) => {
            const request = await shop.request();
            await shop.run();
            expect(await shop.statusOf(request)).toBe('completed');
            expect(await shop.query('SELECT id FROM o')).toEqual([{ id: 2 }]);
          },
        ),
      );
  }

  itOn('SQLite')('has a zero byte in it', () =>
    withTarget(
      'SQLite',
      `CREATE TABLE u (id TEXT PRIMARY KEY, email TEXT);
       INSERT INTO u VALUES (CAST(x'6100ff' AS TEXT), 'jane@x.org'), (CAST(x'6100efbfbd' AS TEXT), 'bob@x.org')`,
      ['tenancy: none', tables(USERS)],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT email FROM u')).toEqual([{ email: 'bob@x.org' }]);
      },
    ),
  );
});
