// Properties of a person, one of which is the email: rows that lead to a user, and rows that the user leads to, in
// one table.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (uid VARCHAR(20) PRIMARY KEY, name VARCHAR(20));
  CREATE TABLE props (id INTEGER PRIMARY KEY, uid VARCHAR(20), name VARCHAR(20), value VARCHAR(50));
  INSERT INTO users VALUES ('jane', 'Jane'), ('bob', 'Bob');
  INSERT INTO props VALUES (1, 'jane', 'email', 'jane@x.org'), (2, 'jane', 'phone', '123'),
                           (3, 'bob', 'email', 'bob@x.org'), (4, 'bob', 'phone', '456')`;
const plan = (users = '') => [
  'tenancy: none',
  tables(
    '{ table: props, where: { name: { not: email } }, via: { users: { uid: uid } } }',
    '{ table: props, where: { name: email }, match: { email: value } }',
    `{ table: users, via: { "props (name: email)": { uid: uid } }${users} }`,
  ),
];

describeOnEach("a user's own properties (%s)", (kind) => {
  itOn(kind).each(['', ', shared: keep'])('tie the user to nobody else%s', (shared) =>
    withTarget(kind, SCHEMA, plan(shared), async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.query('SELECT uid FROM users')).toEqual([{ uid: 'bob' }]);
      expect(await shop.query('SELECT id FROM props ORDER BY id')).toEqual([{ id: 3 }, { id: 4 }]);
    }),
  );

  itOn(kind)('need a key of the users that they refer to', () =>
    withTarget(kind, SCHEMA.replace(' PRIMARY KEY, name', ', name'), plan(), async (shop) => {
      expect(await shop.problems()).toEqual([
        expect.stringMatching(/^tables: users has no unique key/),
      ]);
    }),
  );

  itOn(kind)('are the only ones that do not: a second email is of somebody else', () =>
    withTarget(kind, SCHEMA, plan(), async (shop) => {
      await shop.query("INSERT INTO props VALUES (5, 'jane', 'email', 'joe@x.org')");
      await shop.request();
      expect(await shop.run()).toMatchObject(held('shared'));
      expect([await shop.count('users'), await shop.count('props')]).toEqual([2, 5]);
    }),
  );

  itOn(kind)('do not hide a user who stays when the email is gone', () =>
    withTarget(kind, SCHEMA, plan(), async (shop) => {
      const request = await shop.request();
      await shop.failOnce();
      await shop.query('DELETE FROM props WHERE id = 1');
      await shop.run();
      expect(await shop.statusOf(request)).not.toBe('completed');
      expect(await shop.count('users')).toBe(2);
    }),
  );
});

const REALMS = `
  CREATE TABLE boxes (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL);
  CREATE TABLE users (id INTEGER PRIMARY KEY, realm INTEGER NOT NULL, email VARCHAR(50), box_id INTEGER);
  CREATE TABLE messages (id INTEGER PRIMARY KEY, realm INTEGER NOT NULL, sender_id INTEGER, box_id INTEGER);
  INSERT INTO boxes VALUES (1, 1), (2, 1), (4, 2), (5, 1);
  INSERT INTO users VALUES (1, 1, 'jane@x.org', 1), (2, 1, 'bob@x.org', 2), (3, 2, 'eve@x.org', 5);
  INSERT INTO messages VALUES (1, 1, 1, 4), (2, 1, 2, 4), (3, 1, 2, 1)`;
const realms = (where: string) => [
  'tenant_column: realm',
  'tenants: { acme: 1, globex: 2 }',
  tables(
    '{ table: messages, via: { users: { sender_id: id }, boxes: { box_id: id } }, shared: erase }',
    '{ table: users, match: { email: email } }',
    `{ table: boxes,${where} via: { users: { id: box_id } } }`,
  ),
];

describeOnEach('a row that has a tenant of its own (%s)', (kind) => {
  itOn(kind).each(['', ' where: { kind: 1 },'])(
    'may refer to one of which nothing tells the tenant%s',
    (where) =>
      withTarget(kind, REALMS, realms(where), async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT id FROM messages')).toEqual([{ id: 2 }]);
        expect(await shop.query('SELECT id FROM boxes ORDER BY id')).toEqual([
          { id: 2 },
          { id: 4 },
          { id: 5 },
        ]);
      }),
  );

  itOn(kind)("is held where it refers to another tenant's", () =>
    withTarget(kind, REALMS, realms(''), async (shop) => {
      await shop.query('INSERT INTO messages VALUES (6, 1, 1, 5)');
      await shop.request();
      expect(await shop.run()).toMatchObject(held('tenant_mismatch'));
      expect(await shop.count('messages')).toBe(4);
    }),
  );
});
