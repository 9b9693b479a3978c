// Types of extensions in a schema that is not on the account's search path, and types of one's own with the names of others.
import { expect } from 'vitest';
import { itOn, JANE, tables, withTarget } from '../misled-target.ts';

const CITEXT = 'CREATE SCHEMA ext; CREATE EXTENSION citext SCHEMA ext;';
const PEOPLE = '{ table: people, match: { email: email } }';

itOn('PostgreSQL')('citext finds every spelling of an email', () =>
  withTarget(
    'PostgreSQL',
    `${CITEXT} CREATE TABLE people (id INTEGER PRIMARY KEY, email ext.citext);
     INSERT INTO people VALUES (1, 'Jane@x.org'), (2, 'bob@x.org'), (3, 'jane@x.org')`,
    ['tenancy: none', tables(PEOPLE)],
    async (shop) => {
      const request = await shop.request(JANE);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT id FROM people')).toEqual([{ id: 2 }]);
    },
  ),
);

itOn('PostgreSQL')('references between citext columns are followed as the foreign key does', () =>
  withTarget(
    'PostgreSQL',
    `${CITEXT} CREATE TABLE people (code ext.citext PRIMARY KEY, email ext.citext);
     INSERT INTO people VALUES ('Abc', 'Jane@x.org'), ('B', 'bob@x.org');
     CREATE TABLE orders (id INTEGER PRIMARY KEY, code ext.citext REFERENCES people ON DELETE CASCADE);
     CREATE TABLE notes (id INTEGER PRIMARY KEY, code ext.citext REFERENCES people);
     INSERT INTO orders VALUES (1, 'abc'), (2, 'B'), (3, 'Abc');
     INSERT INTO notes VALUES (1, 'abc'), (2, 'B'), (3, 'Abc')`,
    [
      'tenancy: none',
      tables('{ table: orders, via: { people: { code: code } } }', PEOPLE),
      'detach: [notes.code]',
    ],
    async (shop) => {
      const request = await shop.request(JANE);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT id FROM orders')).toEqual([{ id: 2 }]);
      expect(await shop.query('SELECT id FROM notes WHERE code IS NULL ORDER BY id')).toEqual([
        { id: 1 },
        { id: 3 },
      ]);
    },
  ),
);

itOn('PostgreSQL')(
  'keys of several columns with a type of an extension are compared by its equality',
  () =>
    withTarget(
      'PostgreSQL',
      `CREATE SCHEMA ext; CREATE EXTENSION ltree SCHEMA ext;
     CREATE TABLE people (path ext.ltree, no INTEGER, email TEXT, PRIMARY KEY (path, no));
     INSERT INTO people VALUES ('a.b', 1, 'jane@x.org'), ('a.b', 2, 'bob@x.org');
     CREATE TABLE orders (path ext.ltree PRIMARY KEY, owner ext.ltree, no INTEGER,
       FOREIGN KEY (owner, no) REFERENCES people);
     INSERT INTO orders VALUES ('o.1', 'a.b', 1), ('o.2', 'a.b', 2)`,
      [
        'tenancy: none',
        tables('{ table: orders, via: { people: { owner: path, no: no } } }', PEOPLE),
      ],
      async (shop) => {
        const request = await shop.request(JANE);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT path::text FROM orders')).toEqual([{ path: 'o.2' }]);
        expect(await shop.query('SELECT email FROM people')).toEqual([{ email: 'bob@x.org' }]);
      },
    ),
);

itOn('PostgreSQL')('a domain that is called citext compares as what it is over', () =>
  withTarget(
    'PostgreSQL',
    `CREATE DOMAIN email_citext AS text;
     CREATE TABLE people (id INTEGER PRIMARY KEY, email email_citext);
     INSERT INTO people VALUES (1, 'Jane@x.org'), (2, 'bob@x.org')`,
    ['tenancy: none', tables(PEOPLE)],
    async (shop) => {
      const request = await shop.request(JANE);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT id FROM people')).toEqual([{ id: 2 }]);
    },
  ),
);

itOn('PostgreSQL')('an enumeration that is called like a type of the server is none', () =>
  withTarget(
    'PostgreSQL',
    `CREATE TYPE public."uuid" AS ENUM ('7', '8');
     CREATE TABLE people (id INTEGER PRIMARY KEY, no public."uuid");
     INSERT INTO people VALUES (1, '7'), (2, '8')`,
    ['tenancy: none', tables('{ table: people, match: { controller_customer_id: no } }')],
    async (shop) => {
      expect((await shop.problems()).join(' ')).toContain(
        'is public.uuid, which no controller_customer_id can equal',
      );
    },
  ),
);

itOn('PostgreSQL')('detaching is not advised where a domain forbids NULL', () =>
  withTarget(
    'PostgreSQL',
    `CREATE DOMAIN required AS INTEGER NOT NULL;
     CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT);
     CREATE TABLE notes (id INTEGER PRIMARY KEY, person required REFERENCES people);
     INSERT INTO people VALUES (1, 'jane@x.org'); INSERT INTO notes VALUES (1, 1)`,
    ['tenancy: none', tables(PEOPLE)],
    async (shop) => {
      expect((await shop.problems()).join(' ')).not.toContain('detach');
    },
  ),
);
