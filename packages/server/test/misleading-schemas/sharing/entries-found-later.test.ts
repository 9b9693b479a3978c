// A row that rows of two entries of a table refer to, of which its plan names one: whose the other one is, is known only later.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(50));
  CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER);
  CREATE TABLE att (id INTEGER PRIMARY KEY, kind VARCHAR(9), record_id INTEGER, blob_id INTEGER);
  CREATE TABLE blobs (id INTEGER PRIMARY KEY, name VARCHAR(9));
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'joe@x.org');
  INSERT INTO posts VALUES (1, 1), (2, 2);
  INSERT INTO blobs VALUES (1, 'hers'), (2, 'both');
  INSERT INTO att VALUES (1, 'User', 1, 1), (2, 'Post', 1, 1), (3, 'User', 1, 2), (4, 'Post', 2, 2)`;
const PLAN = [
  'tenancy: none',
  tables(
    '{ table: blobs, via: { "att (kind: User)": { id: blob_id } }, shared: keep }',
    '{ table: att, where: { kind: Post }, via: { posts: { record_id: id } } }',
    '{ table: att, where: { kind: User }, via: { users: { record_id: id } } }',
    '{ table: posts, via: { users: { user_id: id } } }',
    '{ table: users, match: { email: email } }',
  ),
];

const PROPERTIES = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, kind VARCHAR(9), value VARCHAR(50), uid INTEGER);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, uid INTEGER NOT NULL, n INTEGER);
  INSERT INTO people VALUES (1, 'email', 'jane@x.org', 1), (2, 'name', 'Jane', 1), (3, 'email', 'joe@x.org', 2), (4, 'name', 'Joe', 2);
  INSERT INTO orders VALUES (1, 1, 0), (2, 3, 1), (3, 2, 0)`;
const ORDERS =
  '{ table: orders, where: { n: 0 }, via: { "people (kind: email)": { uid: uid } }, shared: keep }';
const PROPERTIES_PLAN = [
  'tenancy: none',
  tables(
    '{ table: people, where: { kind: { not: email } }, via: { orders: { uid: uid } }, shared: keep }',
    '{ table: people, where: { kind: email }, match: { email: value } }',
    ORDERS,
  ),
];

const GROUPS = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, kind VARCHAR(9), value VARCHAR(50), uid INTEGER, item_no INTEGER);
  CREATE TABLE orders (uid INTEGER PRIMARY KEY);
  CREATE TABLE items (no INTEGER PRIMARY KEY);
  INSERT INTO people VALUES (1, 'email', 'jane@x.org', 1, 6), (2, 'name', 'Jane', 1, 6), (3, 'email', 'joe@x.org', 2, 7);
  INSERT INTO orders VALUES (1), (2);
  INSERT INTO items VALUES (6), (7)`;
const GROUPS_PLAN = [
  'tenancy: none',
  tables(
    '{ table: people, where: { kind: { not: email } }, via: { orders: { uid: uid } } }',
    '{ table: items, via: { "people (kind: email)": { no: item_no } } }',
    '{ table: orders, via: { "people (kind: email)": { uid: uid } } }',
    '{ table: people, where: { kind: email }, match: { email: value } }',
  ),
];

describeOnEach('a row that two entries of a table refer to (%s)', (kind) => {
  itOn(kind)('is erased where both are the person’s, and kept where one is somebody else’s', () =>
    withTarget(kind, SCHEMA, PLAN, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT name FROM blobs')).toEqual([{ name: 'both' }]);
    }),
  );

  itOn(kind)('is erased where the other one is found by way of a third table', () =>
    withTarget(kind, GROUPS, GROUPS_PLAN, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.query('SELECT no FROM items')).toEqual([{ no: 7 }]);
    }),
  );

  itOn(kind)('is erased where the rows of the other one are the person’s because of it', () =>
    withTarget(kind, PROPERTIES, PROPERTIES_PLAN, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.query('SELECT id FROM orders ORDER BY id')).toEqual([{ id: 2 }, { id: 3 }]);
      expect(await shop.query('SELECT id FROM people ORDER BY id')).toEqual([{ id: 3 }, { id: 4 }]);
    }),
  );
});
