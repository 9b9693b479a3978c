// A listed trigger that drops a table: its counters are gone with it, so that nothing counts its rows.
import { describe, expect } from 'vitest';
import { held, itOn, tables, withTarget } from '../misled-target.ts';

const PLAN = tables('{ table: users, match: { email: email } }');
const SETTINGS = ['controllers: [acme]', 'triggers: [listed]'];

const schema = (body: string, timing = 'TRIGGER listed AFTER DELETE ON users') => `
  CREATE TABLE users (id int PRIMARY KEY, email text);
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  CREATE TABLE notes (id int PRIMARY KEY, body text);
  INSERT INTO notes VALUES (1, 'of Bob');
  CREATE TABLE events (id int, month int) PARTITION BY LIST (month);
  CREATE TABLE events_1 PARTITION OF events FOR VALUES IN (1);
  CREATE TABLE events_2 PARTITION OF events FOR VALUES IN (2);
  INSERT INTO events VALUES (1, 1), (2, 2);
  CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NULL; END $$;
  CREATE ${timing} FOR EACH ROW EXECUTE FUNCTION f()`;

const DEFERRED = 'CONSTRAINT TRIGGER listed AFTER DELETE ON users DEFERRABLE INITIALLY DEFERRED';

describe('a listed trigger that drops', () => {
  for (const [what, ddl] of [
    ['a table that the target does not name', schema('DROP TABLE notes')],
    ['such a table at the commit', schema('DROP TABLE notes', DEFERRED)],
    [
      'such a table, and makes another of its name',
      schema('DROP TABLE notes; CREATE TABLE notes (id int, body text)'),
    ],
    ['a partition', schema('DROP TABLE events_1')],
  ] as const)
    itOn('PostgreSQL')(`${what} is held`, () =>
      withTarget('PostgreSQL', ddl, [...SETTINGS, PLAN], async (shop) => {
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('notes')).toBe(1);
        expect(await shop.count('events')).toBe(2);
        expect(await shop.count('users')).toBe(2);
        expect(await shop.statusOf(request)).toBe('in_progress');
      }),
    );

  itOn('PostgreSQL')('a partition of a table under cascades may do so', () =>
    withTarget(
      'PostgreSQL',
      schema('DROP TABLE events_1'),
      [...SETTINGS, 'cascades: [public.events]', PLAN],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('events')).toBe(1);
        expect(await shop.count('users')).toBe(1);
      },
    ),
  );

  for (const rows of [1, 2, 3])
    itOn('PostgreSQL')(
      `all rows of a table of the plan is held, of ${rows} rows of the person`,
      () =>
        withTarget(
          'PostgreSQL',
          `${schema('TRUNCATE orders')};
         CREATE TABLE orders (id int PRIMARY KEY, user_id int);
         INSERT INTO orders VALUES (0, 2);
         INSERT INTO orders SELECT n, 1 FROM generate_series(1, ${rows}) n`,
          [
            ...SETTINGS,
            tables(
              '{ table: orders, via: { users: { user_id: id } } }',
              '{ table: users, match: { email: email } }',
            ),
          ],
          async (shop) => {
            await shop.request();
            expect(await shop.run()).toMatchObject(held('unplanned_change'));
            expect(await shop.count('orders')).toBe(rows + 1);
          },
        ),
    );

  itOn('PostgreSQL')('a temporary table of its own is no concern', () =>
    withTarget(
      'PostgreSQL',
      schema('CREATE TEMPORARY TABLE mine (id int); DROP TABLE mine'),
      [...SETTINGS, PLAN],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );
});
