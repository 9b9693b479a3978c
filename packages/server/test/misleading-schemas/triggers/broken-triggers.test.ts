// What a table runs by itself and cannot run here: the check names it where the catalogue tells; otherwise it is the
// failure of the requests whose rows it is about, and not of the whole target.
import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60), name VARCHAR(20));
  INSERT INTO users VALUES (1, 'jane@x.org', 'Jane'), (2, 'bob@x.org', 'Bob')`;
const USERS = '{ table: users, match: { email: email } }';
const OVERWRITTEN =
  '{ table: users, match: { email: email }, action: { overwrite: { name: null, email: null } } }';
const BOB = [new Identity('email', 'bob@x.org')];
const DELETED = ['tenancy: none', 'triggers: [listed]', tables(USERS)];

/** As applications that bring their own functions make them. */
const rewritten = (from: string, to: string) => `
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name IN ('users', 'by_name');
  PRAGMA writable_schema = RESET`;

describe('SQLite, functions of the application', () => {
  for (const [what, schema, plan] of [
    [
      'a trigger',
      'CREATE TRIGGER listed AFTER DELETE ON users BEGIN SELECT my_log(OLD.name); END',
      USERS,
    ],
    [
      'a CHECK constraint',
      rewritten('name VARCHAR(20)', 'name VARCHAR(20) CHECK (my_log(name) IS NULL)'),
      OVERWRITTEN,
    ],
    [
      'an index',
      `CREATE INDEX by_name ON users (lower(name)); ${rewritten('lower(name)', 'my_log(name)')}`,
      USERS,
    ],
    [
      'a computed column',
      rewritten('name VARCHAR(20)', 'name VARCHAR(20), x TEXT AS (my_log(name)) STORED'),
      OVERWRITTEN,
    ],
  ] as const)
    itOn('SQLite')(`in ${what}`, () =>
      withTarget(
        'SQLite',
        `${SCHEMA}; ${schema}`,
        ['tenancy: none', 'triggers: [listed]', tables(plan)],
        async (shop) => {
          expect(await shop.problems()).toEqual([expect.stringContaining('function my_log')]);
          await shop.request();
          expect((await shop.run()).down).toContain('function my_log');
        },
      ),
    );

  itOn('SQLite')('in what the plan does not run are no problem', () =>
    withTarget(
      'SQLite',
      `${SCHEMA}; CREATE TRIGGER other AFTER INSERT ON users BEGIN SELECT my_log(NEW.name); END;
        ${rewritten('name VARCHAR(20)', 'name VARCHAR(20) CHECK (my_log(name) IS NULL)')}`,
      ['tenancy: none', tables(USERS)],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );

  itOn('SQLite')('a trigger that writes to a table which is not there is named', () =>
    withTarget(
      'SQLite',
      `${SCHEMA}; CREATE TRIGGER listed AFTER DELETE ON users BEGIN INSERT INTO nowhere VALUES (1); END`,
      DELETED,
      async (shop) => {
        expect(await shop.problems()).toEqual([expect.stringContaining('table main.nowhere')]);
      },
    ),
  );

  itOn('SQLite')('a trigger with a text in double quotes is named', () =>
    withTarget(
      'SQLite',
      `${SCHEMA}; CREATE TABLE log (id INTEGER PRIMARY KEY, txt TEXT);
       CREATE TRIGGER listed AFTER DELETE ON users BEGIN INSERT INTO log (txt) VALUES ("it went"); END`,
      [...DELETED, 'cascades: [log]'],
      async (shop) => {
        expect(await shop.problems()).toEqual([expect.stringContaining('in single quotes')]);
      },
    ),
  );

  itOn('SQLite')('an expression that fails on one person’s value', () =>
    withTarget(
      'SQLite',
      `${SCHEMA}; CREATE TABLE log (n); INSERT INTO log VALUES (1);
      CREATE TRIGGER listed AFTER DELETE ON users WHEN OLD.name = 'Jane'
        BEGIN SELECT json_extract(OLD.name, '$.x'); END`,
      DELETED,
      async (shop) => {
        await shop.request();
        const { down, outcomes } = await shop.run();
        expect({ down, outcomes }).toMatchObject({
          down: undefined,
          outcomes: [{ outcome: 'failed', detail: expect.stringContaining('listed on users') }],
        });
        const bob = await shop.request(BOB);
        await shop.run();
        expect(await shop.statusOf(bob)).toBe('completed');
      },
    ),
  );
});

describe('MariaDB, definers', () => {
  const trigger = (definer: string) => `${SCHEMA}; CREATE TABLE log (n INT);
    CREATE DEFINER = '${definer}'@'%' TRIGGER listed AFTER DELETE ON users FOR EACH ROW
    IF OLD.name = 'Jane' THEN INSERT INTO log VALUES (1); END IF`;
  const plan = [...DELETED, 'cascades: [log]'];

  itOn('MariaDB')('that are gone are named by the check', () =>
    withTarget('MariaDB', trigger('unwrite_gone'), plan, async (shop) => {
      expect(await shop.problems()).toEqual([
        expect.stringMatching(/trigger listed .*'unwrite_gone'@'%'.* does not exist/),
      ]);
    }),
  );

  itOn('MariaDB')(
    'that lack a right fail the requests whose rows they are about, and name it',
    () => {
      const account = `unwrite_${randomBytes(4).toString('hex')}`;
      return withTarget(
        'MariaDB',
        `CREATE USER '${account}'@'%'; ${trigger(account)}`,
        plan,
        async (shop) => {
          try {
            expect(await shop.problems()).toEqual([]);
            await shop.request();
            const { down, outcomes } = await shop.run();
            expect({ down, outcomes }).toMatchObject({
              down: undefined,
              outcomes: [{ outcome: 'failed', detail: expect.stringContaining(account) }],
            });
            expect(JSON.stringify(outcomes)).toContain('listed on users');
            expect(await shop.count('users')).toBe(2);
          } finally {
            await shop.query(`DROP USER '${account}'@'%'`);
          }
        },
      );
    },
  );
});

describe('PostgreSQL, functions of triggers', () => {
  const trigger = (body: string) => `${SCHEMA};
    CREATE SCHEMA app; CREATE TABLE app.log (n INT);
    CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$;
    CREATE TRIGGER listed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION f()`;
  const DYNAMIC = "IF OLD.name = 'Jane' THEN EXECUTE 'INSERT INTO ' || 'log VALUES (1)'; END IF;";

  itOn('PostgreSQL')('that cannot be read: the requests whose rows they are about fail', () =>
    withTarget(
      'PostgreSQL',
      trigger(DYNAMIC),
      [...DELETED, 'cascades: [app.log]'],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        await shop.request();
        const { down, outcomes } = await shop.run();
        expect({ down, outcomes }).toMatchObject({
          down: undefined,
          outcomes: [{ outcome: 'failed', code: 'sql_42P01' }],
        });
        const text = JSON.stringify(outcomes);
        expect(text).toContain('the function f()');
        expect(text).toContain('search_path');
        expect(text).toContain('listed on users');
        const bob = await shop.request(BOB);
        await shop.run();
        expect(await shop.statusOf(bob)).toBe('completed');
      },
    ),
  );

  itOn('PostgreSQL')('that write to a table which the account does not find', () =>
    withTarget(
      'PostgreSQL',
      trigger('-- UPDATE nothing\n INSERT INTO log VALUES (1);'),
      [...DELETED, 'cascades: [app.log]'],
      async (shop) => {
        const [problem = ''] = await shop.problems();
        expect(problem).toContain('trigger listed runs f(), which writes to log');
        expect(problem).toContain('ALTER FUNCTION f() SET search_path = app');
        await shop.query('ALTER FUNCTION f() SET search_path = app');
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );
});
