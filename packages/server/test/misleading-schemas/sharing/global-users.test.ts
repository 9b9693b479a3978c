// Users without a tenant, who are members of accounts: one controller's request leaves what is at the others.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, refused, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(50));
  CREATE TABLE memberships (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, account_id INTEGER NOT NULL,
    FOREIGN KEY (user_id) REFERENCES users (id));
  CREATE TABLE comments (id INTEGER PRIMARY KEY, user_id INTEGER, account_id INTEGER);
  CREATE TABLE reactions (id INTEGER PRIMARY KEY, comment_id INTEGER);
  CREATE TABLE sessions (id INTEGER PRIMARY KEY, user_id INTEGER);
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'joe@x.org');
  INSERT INTO memberships VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1);
  INSERT INTO comments VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1);
  INSERT INTO reactions VALUES (1, 1), (2, 2), (3, 3);
  INSERT INTO sessions VALUES (1, 1)`;
const REACTIONS = '{ table: reactions, via: { comments: { comment_id: id } } }';
const COMMENTS = '{ table: comments, via: { users: { user_id: id } } }';
const MEMBERSHIPS = '{ table: memberships, via: { users: { user_id: id } } }';
const USERS =
  '{ table: users, tenancy: none, match: { email: email }, action: { retain: "the account is hers" } }';
const TENANT = ['tenant_column: account_id', 'tenants: { acme: 1, globex: 2 }'];
const plan = (...list: string[]) => [...TENANT, tables(...list)];
const WHOLE = plan(REACTIONS, COMMENTS, MEMBERSHIPS, USERS);

describeOnEach('a user of several accounts (%s)', (kind) => {
  itOn(kind)('goes from the account that asks, and from no other', () =>
    withTarget(kind, SCHEMA, WHOLE, async (shop) => {
      expect(await shop.problems()).toEqual([]);
      const request = await shop.request();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      const ids = async (table: string) =>
        (await shop.query(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => Number(id));
      expect([await ids('memberships'), await ids('comments'), await ids('reactions')]).toEqual([
        [2, 3],
        [2, 3],
        [2, 3],
      ]);
      expect(await shop.count('users')).toBe(2);
      expect(await shop.evidenceOf(request)).toMatchObject({
        tables: { comments: { rows: 1 }, memberships: { rows: 1 }, users: { action: 'retain' } },
      });
    }),
  );

  itOn(kind)('is held where a row of hers says no account', () =>
    withTarget(kind, SCHEMA, WHOLE, async (shop) => {
      await shop.query('INSERT INTO comments VALUES (9, 1, NULL)');
      await shop.request();
      expect(await shop.run()).toMatchObject(held('tenant_mismatch'));
    }),
  );

  itOn(kind)('is refused where nothing says whose the rows of a table are', () =>
    withTarget(
      kind,
      SCHEMA,
      plan('{ table: sessions, via: { users: { user_id: id } } }', MEMBERSHIPS, USERS),
      async (shop) => {
        expect(await shop.problems()).toEqual([
          expect.stringMatching(/sessions has no tenant column, and users.*is of all tenants/),
        ]);
        await shop.request();
        const { down } = await shop.run();
        expect(down).toContain('is of all tenants');
        expect(await shop.count('sessions')).toBe(1);
      },
    ),
  );
});

describeOnEach('a table without tenant, found by what is unique only within one (%s)', (kind) => {
  const MEMBERS = `
    CREATE TABLE members (id INTEGER PRIMARY KEY, org VARCHAR(9), user_no INTEGER, email VARCHAR(50), UNIQUE (org, user_no));
    CREATE TABLE activity (id INTEGER PRIMARY KEY, user_no INTEGER, project_id INTEGER);
    INSERT INTO members VALUES (1, 'acme', 1, 'jane@x.org'), (2, 'globex', 2, 'jane@x.org');
    INSERT INTO activity VALUES (1, 1, 1), (2, 1, 2)`;
  const PLAN = [
    'tenant_column: org',
    tables(
      '{ table: activity, via: { members: { user_no: user_no } } }',
      '{ table: members, match: { email: email } }',
    ),
  ];

  itOn(kind)('is refused: its rows may be of another tenant', () =>
    withTarget(kind, MEMBERS, PLAN, async (shop) => {
      expect(await shop.problems()).toEqual([expect.stringContaining('only together with org')]);
      await shop.request();
      expect(await shop.run()).toMatchObject(refused('only together with org'));
      expect(await shop.count('activity')).toBe(2);
    }),
  );
});
