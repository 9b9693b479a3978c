// Keys of several columns of PostgreSQL whose types or names a statement could take for something else.
import { expect } from 'vitest';
import { itOn, tables, withTarget } from '../misled-target.ts';

const COMPOSITE = `
  CREATE TYPE place AS (hall int, seat text);
  CREATE TABLE people (at place, day int, email text, note text, PRIMARY KEY (at, day));
  INSERT INTO people VALUES (ROW(1, 'a,"b'), 1, 'jane@x.org', 'jane'), (ROW(1, 'a,"b'), 2, 'bob@x.org', 'bob');
  CREATE TABLE calls (id int PRIMARY KEY, at place, day int, FOREIGN KEY (at, day) REFERENCES people);
  INSERT INTO calls VALUES (1, ROW(1, 'a,"b'), 1), (2, ROW(1, 'a,"b'), 2)`;
const NAMED_LIKE_OURS = `
  CREATE EXTENSION citext;
  CREATE TABLE people (v0 citext, v1 int, email text, note text, PRIMARY KEY (v0, v1));
  INSERT INTO people VALUES ('k', 1, 'jane@x.org', 'jane'), ('k', 2, 'bob@x.org', 'bob'), ('l', 1, 'bob@x.org', 'bob');
  CREATE TABLE calls (id int PRIMARY KEY, v0 citext, v1 int, FOREIGN KEY (v0, v1) REFERENCES people);
  INSERT INTO calls VALUES (1, 'K', 1), (2, 'k', 2), (3, 'l', 1)`;
const plan = (reference: string, action = '') => [
  'tenancy: none',
  tables(
    `{ table: calls, via: { people: { ${reference} } } }`,
    `{ table: people, match: { email: email }${action} }`,
  ),
];
const OVERWRITTEN = ', action: { overwrite: { email: null, note: null } }';

itOn('PostgreSQL').each([
  ['deleted', 'a composite type', COMPOSITE, 'at: at, day: day', '', 1],
  ['overwritten', 'a composite type', COMPOSITE, 'at: at, day: day', OVERWRITTEN, 1],
  ['deleted', 'names of our own statements', NAMED_LIKE_OURS, 'v0: v0, v1: v1', '', 2],
  ['overwritten', 'names of our own statements', NAMED_LIKE_OURS, 'v0: v0, v1: v1', OVERWRITTEN, 2],
] as const)(
  'rows are %s by a key of several columns with %s',
  (_, __, schema, reference, action, others) =>
    withTarget('PostgreSQL', schema, plan(reference, action), async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      await shop.dieAfterErasing();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect((await shop.evidenceOf(request))?.tables).toMatchObject({
        calls: { rows: 1 },
        people: { rows: 1 },
      });
      expect(await shop.query('SELECT id FROM calls WHERE id = 1')).toEqual([]);
      expect(await shop.count('calls')).toBe(others);
      expect(await shop.count("people WHERE note = 'bob' AND email = 'bob@x.org'")).toBe(others);
      expect(await shop.count("people WHERE note = 'jane'")).toBe(0);
    }),
);

itOn('PostgreSQL')('a key with an array is refused also where a domain hides it', () =>
  withTarget(
    'PostgreSQL',
    `CREATE DOMAIN numbers AS int[];
     CREATE TABLE people (id numbers PRIMARY KEY, email text);
     INSERT INTO people VALUES ('{1,2}', 'jane@x.org')`,
    ['tenancy: none', tables('{ table: people, match: { email: email } }')],
    async (shop) => {
      expect(await shop.problems()).toEqual([
        'people: its key has an array (id), which cannot identify a row; choose another "key"',
      ]);
    },
  ),
);
