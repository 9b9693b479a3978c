// Foreign keys that SQLite stores and cannot follow: the check says so before the target is worked on.
import { expect, it } from 'vitest';
import { tables, withTarget } from '../misled-target.ts';

const O = '{ table: o, via: { c: { cid: id } } }';
const C = '{ table: c, match: { email: email } }';
const ROWS = "INSERT INTO c VALUES (1, 1, 'jane@x.org'); INSERT INTO o VALUES (1, 1)";

it.each([
  [
    'to a column that is not unique',
    'c (k INTEGER PRIMARY KEY, id INT, email TEXT)',
    'REFERENCES c(id)',
    'run: CREATE UNIQUE INDEX c_id ON c (id)',
  ],
  [
    'to a partial unique index',
    'c (k INTEGER PRIMARY KEY, id INT, email TEXT); CREATE UNIQUE INDEX u ON c (id) WHERE id > 0',
    'REFERENCES c(id)',
    'is not unique',
  ],
  [
    'to a table that does not exist',
    'c (k INTEGER PRIMARY KEY, id INT UNIQUE, email TEXT)',
    'REFERENCES old_c(id)',
    'create the table, or take the key out of o',
  ],
  [
    'to a table without a primary key',
    'c (k INT, id INT UNIQUE, email TEXT)',
    'REFERENCES c',
    'is not unique',
  ],
])('a foreign key %s is a problem', (_, parent, key, says) =>
  withTarget(
    'SQLite',
    `PRAGMA foreign_keys = OFF; CREATE TABLE ${parent}; CREATE TABLE o (id INT PRIMARY KEY, cid INT ${key}); ${ROWS}`,
    ['tenancy: none', tables(O, C)],
    async (shop) => {
      expect(await shop.problems()).toEqual([expect.stringContaining(says)]);
      await shop.request();
      expect((await shop.run()).down).toContain(says);
    },
  ),
);

it.each([
  ['to a primary key', 'c (id INTEGER PRIMARY KEY, k INT, email TEXT)', 'REFERENCES C'],
  [
    'to a unique column',
    'c (k INTEGER PRIMARY KEY, id INT UNIQUE, email TEXT)',
    'REFERENCES c(ID)',
  ],
  [
    'of a table that is not touched',
    'c (k INTEGER PRIMARY KEY, id INT UNIQUE, email TEXT); CREATE TABLE x (y REFERENCES z)',
    'REFERENCES c(id)',
  ],
])('a key %s is not broken', (_, parent, key) =>
  withTarget(
    'SQLite',
    `CREATE TABLE ${parent}; CREATE TABLE o (id INT PRIMARY KEY, cid INT ${key}); ${ROWS}`,
    ['tenancy: none', tables(O, C)],
    async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
    },
  ),
);
