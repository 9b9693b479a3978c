// A trigger that changes a setting of the connection: the statements after it would mean tables of another schema.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id int PRIMARY KEY, email text);
  CREATE TABLE orders (id int PRIMARY KEY, user_id int REFERENCES users);
  CREATE SCHEMA old;
  CREATE TABLE old.users (id int PRIMARY KEY, email text);
  CREATE TABLE old.log (what text);
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO orders VALUES (10, 1), (20, 2);
  INSERT INTO old.users VALUES (1, 'eve@x.org'), (2, 'jane@x.org');
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    SET search_path TO old; INSERT INTO old.log VALUES ('deleted'); RETURN old; END $$;
  CREATE TRIGGER noted BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION note()`;
const CORRECTED = `
  CREATE OR REPLACE FUNCTION note() RETURNS trigger LANGUAGE plpgsql SET search_path = old AS $$ BEGIN
    INSERT INTO old.log VALUES ('deleted'); RETURN old; END $$`;
const OF_USERS = 'FROM users WHERE email = :email';
const STATEMENTS = [
  'tenancy: none',
  'sql:',
  // The user, the order, and the row that the trigger writes.
  `  preview: "SELECT 3 * count(*) ${OF_USERS}"`,
  '  erase:',
  `    - DELETE FROM orders WHERE user_id IN (SELECT id ${OF_USERS})`,
  `    - DELETE ${OF_USERS}`,
  `  verify: "SELECT count(*) ${OF_USERS}"`,
];
const planOf = (action: string) => [
  'tenancy: none',
  'triggers: [noted]',
  'cascades: [old.log]',
  tables(
    '{ table: orders, via: { users: { user_id: id } } }',
    `{ table: users, match: { email: email }${action} }`,
  ),
];

describe('on PostgreSQL, a trigger that changes the search path', () => {
  itOn('PostgreSQL').each([
    ['rows are deleted', planOf(''), [{ id: 2 }]],
    [
      'rows are overwritten',
      planOf(', action: { overwrite: { email: null } }'),
      [{ id: 1 }, { id: 2 }],
    ],
    ['statements are written by hand', STATEMENTS, [{ id: 2 }]],
  ])('lets nothing be changed in another schema (%s)', (_, plan, left) =>
    withTarget('PostgreSQL', SCHEMA, plan, async (shop) => {
      const users = (schema: string) => shop.query(`SELECT * FROM ${schema}.users ORDER BY id`);
      try {
        const request = await shop.request();
        const before = [await users('public'), await users('old')];
        const { down, outcomes } = await shop.run();
        expect({ down, outcomes }).toMatchObject({ down: undefined, ...held('unplanned_change') });
        expect(JSON.stringify(outcomes)).toContain('search_path');
        expect([await users('public'), await users('old')]).toEqual(before);
        expect(await shop.count('orders')).toBe(2);

        await shop.query(CORRECTED);
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count("users WHERE email = 'jane@x.org'")).toBe(0);
        expect((await users('public')).map(({ id }) => ({ id }))).toEqual(left);
        expect(await users('old')).toEqual(before[1]);
      } finally {
        await shop.query('DROP SCHEMA old CASCADE');
      }
    }),
  );
});
